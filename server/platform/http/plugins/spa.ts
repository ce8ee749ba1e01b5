import { existsSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pathOf } from '../request-path.ts'

/** The built index.html, or empty text if Vite or another server serves the SPA. */
export function readIndexHtml(root: string): string {
  const file = join(root, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Serves the precompressed files of the SPA, and index.html at every URL of a page. */
export const spa = fp<{ root: string }>(async (app, { root }) => {
  if (!existsSync(join(root, 'index.html'))) return
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // File names in assets/ contain a content hash. All other files are revalidated each time.
      reply.header(
        'cache-control',
        relative(root, path).startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  // Used by password managers (W3C, A Well-Known URL for Changing Passwords).
  app.get('/.well-known/change-password', async (_request, reply) => reply.redirect('/settings?tab=password', 302))
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && isPageRequest(request)) return reply.sendFile('index.html')
  })
})

/** Whether a browser navigates to this URL. A URL that looks like a file counts only if the client accepts HTML. */
function isPageRequest(request: FastifyRequest): boolean {
  const path = pathOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (/\/\.|^\/(api|assets)(\/|$)/.test(path)) return false
  return extname(path) === '' || /\btext\/html\b/.test(request.headers.accept ?? '')
}

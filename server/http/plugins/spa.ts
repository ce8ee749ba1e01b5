import { existsSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pathOf } from '../request-path.ts'

/** The built index.html, or nothing where the SPA is served from elsewhere or by Vite. */
export function readIndexHtml(root: string): string {
  const file = join(root, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Serves the built SPA, compressed beforehand, and index.html for every address of a page. */
export const spa = fp<{ root: string }>(async (app, { root }) => {
  if (!existsSync(join(root, 'index.html'))) return
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names in assets/ carry a hash of their content; everything else is asked for again each time.
      reply.header(
        'cache-control',
        relative(root, path).startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && isPageRequest(request)) return reply.sendFile('index.html')
  })
})

/**
 * Whether a browser opens an address that no route takes: then the SPA shows its own page for it. An address that looks like
 * a file is one where the client asks for HTML, as a browser does for what a person opens.
 */
function isPageRequest(request: FastifyRequest): boolean {
  const path = pathOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (/\/\.|^\/(api|assets)(\/|$)/.test(path)) return false
  return extname(path) === '' || /\btext\/html\b/.test(request.headers.accept ?? '')
}

import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pathOf } from '../request-path.ts'

/** The built index.html, or empty text if Vite or another server serves the SPA. */
export function readIndexHtml(root: string): string {
  const file = join(root, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Serves index.html at every URL of a page. */
export const spa = fp<{ root: string; instance: object }>(async (app, { root, instance }) => {
  if (!existsSync(join(root, 'index.html'))) return
  // For the first paint, which precedes the answers of the API (src/data/page-instance.ts).
  const sendPage = pageWith(readIndexHtml(root), instance)
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
    if (!request.is404 || !isPageRequest(request)) return
    return sendPage(request, reply)
  })
})

function pageWith(html: string, instance: object) {
  const content = JSON.stringify(instance).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const page = html.replace('<head>', () => `<head><meta name="instance" content="${content}" />`)
  const bodies = { br: brotliCompressSync(page), gzip: gzipSync(page), identity: Buffer.from(page) }
  const digest = hash('sha256', page, 'base64url')
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = (['br', 'gzip'] as const).find((name) => accepts(accepted, name)) ?? 'identity'
    const etag = `"${digest}-${encoding}"`
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('text/html; charset=utf-8').send(bodies[encoding])
  }
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, weight = ''] = part.trim().split(/ *; */)
    return name === encoding && !/^q=0(\.0*)?$/.test(weight)
  })
}

/** Whether a browser navigates to this URL. A URL that looks like a file counts only if the client accepts HTML. */
function isPageRequest(request: FastifyRequest): boolean {
  const path = pathOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (/\/\.|^\/(api|assets)(\/|$)/.test(path)) return false
  return extname(path) === '' || /\btext\/html\b/.test(request.headers.accept ?? '')
}

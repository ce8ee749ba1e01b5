import { existsSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodsOf } from './contract.ts'
import { pathOf } from './request-path.ts'

/** The built index.html, or nothing where the SPA is served from elsewhere or by Vite. */
export function readIndexHtml(root: string): string {
  const file = join(root, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * Serves the built SPA, compressed beforehand, and answers whatever no route takes: page addresses with index.html,
 * everything else with 404 (or 405 where only the method is wrong).
 */
export async function serveSpa(app: FastifyInstance, options: { root: string }): Promise<void> {
  const built = existsSync(join(options.root, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: options.root,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        // Names in assets/ carry a hash of their content; everything else is asked for again each time.
        reply.header(
          'cache-control',
          relative(options.root, path).startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  }
  app.setNotFoundHandler((request, reply) => answerNotFound(request, reply))
  // Ahead of the body, so that where nothing takes one nobody says what is wrong with it.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    if (built && isPageRequest(request)) return reply.sendFile('index.html')
    return answerNotFound(request, reply)
  })
}

/** A page of the SPA: no file name, none that begins with a dot, nothing of the API. */
function isPageRequest(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    extname(path) === '' &&
    !/\/\.|^\/(api|assets)(\/|$)/.test(path)
  )
}

function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = methodsOf(pathOf(request))
  if (allowed) return reply.code(405).header('allow', allowed.join(', ')).send({ detail: 'Method Not Allowed' })
  return reply.code(404).send({ detail: 'Not Found' })
}

import { hash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isApiRequest, pathOf } from '../request-path.ts'

/** For responses that are not pages: no scripts, no frames. */
export const POLICY_OF_DATA = "default-src 'none';frame-ancestors 'none'"

/** `sandbox` gives an uploaded file an origin of its own, so that it cannot act as the web application. */
export const POLICY_OF_FILES = `${POLICY_OF_DATA};sandbox`

/**
 * Headers of every response (ASVS 3.4). Scripts run only from our own origin or if the built index.html contains them
 * inline. Styles may be inline: docs/decisions/0006-styles-may-be-inline.md.
 */
export const securityHeaders = fp<{ indexHtml: string; https: boolean }>(async (app, options) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...inlineScriptHashes(options.indexHtml)],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: options.https && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (request, reply) => {
    const isFile = reply.getHeader('content-security-policy') === POLICY_OF_FILES
    if (!isFile && !mayBePage(request, reply)) reply.header('content-security-policy', POLICY_OF_DATA)
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    // Only files set the header themselves. A 404 that is cached during a deployment would stay after it.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
})

/** Whether a response needs the policy of pages. Outside of the API the path decides, because a 304 has no type. */
function mayBePage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (isApiRequest(request)) return String(reply.getHeader('content-type')).startsWith('text/html')
  return !pathOf(request).startsWith('/assets/')
}

function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`,
  )
}

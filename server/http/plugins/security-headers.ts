import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isApiRequest, pathOf } from '../request-path.ts'

/** For what is no page: nothing runs in it, and nothing shows it inside itself. */
export const POLICY_OF_DATA = "default-src 'none';frame-ancestors 'none'"

/**
 * Headers of every answer (ASVS 3.4). Scripts run only from our own origin, or inline when they stand in the built
 * index.html word for word. Styles may be inline: docs/decisions/0006-styles-may-be-inline.md.
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
    if (!mayBePage(request, reply)) reply.header('content-security-policy', POLICY_OF_DATA)
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    // Only files say otherwise. A 404 that somebody keeps outlives the deploy that was under way.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
})

/** The page's policy is five times as long, and means nothing beside a script or data. A 304 of a page has no type. */
function mayBePage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (isApiRequest(request)) return String(reply.getHeader('content-type')).startsWith('text/html')
  return !pathOf(request).startsWith('/assets/')
}

function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
}

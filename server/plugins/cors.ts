import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

const MAX_AGE_SECONDS = 600

/** Lets a SPA that is served from elsewhere use the API: from these origins, letter for letter, and from no other. */
export async function allowOrigins(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match'],
    exposedHeaders: ['ETag', 'Retry-After'],
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
  })
}

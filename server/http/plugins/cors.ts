import cors from '@fastify/cors'
import fp from 'fastify-plugin'

const MAX_AGE_SECONDS = 600

/** Lets a SPA that is served from elsewhere use the API: from exactly these origins. */
export const allowOrigins = fp<{ origins: string[] }>(async (app, { origins }) => {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match'],
    exposedHeaders: ['Content-Disposition', 'ETag', 'Retry-After'],
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
  })
})

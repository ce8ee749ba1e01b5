import cors from '@fastify/cors'
import fp from 'fastify-plugin'

const MAX_AGE_SECONDS = 600

export const allowOrigins = fp<{ origins: string[] }>(async (app, { origins }) => {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match'],
    exposedHeaders: ['Content-Disposition', 'Date', 'ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: MAX_AGE_SECONDS,
    strictPreflight: false,
  })
})

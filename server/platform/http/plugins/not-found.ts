import fp from 'fastify-plugin'
import { HttpError } from '../http-error.ts'

const notFound = (): never => {
  throw new HttpError(404, 'Not Found')
}

/** Responds to unknown paths. Must be registered last. */
export const unknownPaths = fp(async (app) => {
  app.setNotFoundHandler(notFound)
  // Before the body is parsed, so that its errors do not replace the 404.
  app.addHook('onRequest', async (request) => {
    if (request.is404) notFound()
  })
})

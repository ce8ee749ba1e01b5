import fp from 'fastify-plugin'
import { HttpError } from '../http-error.ts'

const notFound = (): never => {
  throw new HttpError(404, 'Not Found')
}

/** Responds to unknown paths, and to methods that no path has. Must be registered last. */
export const unknownPaths = fp(async (app) => {
  app.setNotFoundHandler(notFound)
  // Responds before the body is parsed, because an error in the body would replace the 404.
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return
    const { supportedMethods } = app
    if (supportedMethods.includes(request.method)) notFound()
    throw new HttpError(405, 'Method Not Allowed', { allow: supportedMethods.join(', ') })
  })
})

import fp from 'fastify-plugin'
import { HttpError } from '../http-error.ts'

const notFound = (): never => {
  throw new HttpError(404, 'Not Found')
}

/** Answers whatever no route takes. Comes last. */
export const unknownPaths = fp(async (app) => {
  app.setNotFoundHandler(notFound)
  // Ahead of the body, so that nobody is told what is wrong with a body that nothing takes.
  app.addHook('onRequest', async (request) => {
    if (request.is404) notFound()
  })
})

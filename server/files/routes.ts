import type { FastifyRequest } from 'fastify'
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { HttpError } from '../platform/http/http-error.ts'
import { POLICY_OF_FILES } from '../platform/http/plugins/security-headers.ts'
import { callerOf } from '../sessions/request.ts'
import { dispositionOf } from './names.ts'
import { drain } from './receive.ts'
import { openFile, type CanSeeRow, uploadFile } from './rules.ts'
import { isHarmless } from './types.ts'

export function fileRoutes(context: Context, canSeeRow: CanSeeRow) {
  return {
    async filesUploadFile(request, reply) {
      const { query, raw } = request
      try {
        const upload = { name: query.name, size: lengthOf(request), content: raw }
        return await reply.code(200).send(await uploadFile(context, callerOf(request), upload))
      } catch (error) {
        await drain(raw, context.stopping)
        throw error
      }
    },

    async filesReadFile(request, reply) {
      const { file, content } = await openFile(context, callerOf(request), request.params.id, canSeeRow)
      const { name, type, size } = file
      reply.headers({
        'content-type': type,
        'content-length': size,
        'content-disposition': dispositionOf(name, isHarmless(type)),
        'content-security-policy': POLICY_OF_FILES,
      })
      if (request.method === 'HEAD') return reply.code(200).send('' as never)
      const stream = await content()
      const { signal } = request
      // The stream must end even if the connection closes before anything was sent.
      if (signal.aborted) stream.destroy()
      else signal.addEventListener('abort', () => stream.destroy())
      return reply.code(200).send(stream as never)
    },
  } satisfies Partial<RouteHandlers>
}

/** The size is needed before the content, because it counts for the quota. @throws HttpError 411 */
function lengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length === undefined) throw new HttpError(411, 'Content-Length is required')
  return Number(length)
}

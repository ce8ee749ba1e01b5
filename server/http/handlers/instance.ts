import contract from '../../../openapi.json' with { type: 'json' }
import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Config } from '../../lib/config.ts'

export type InstanceOptions = Pick<Config, 'product' | 'signUp'>

export function instanceHandlers({ product, signUp }: InstanceOptions): Pick<RouteHandlers, 'instanceReadInstance'> {
  return {
    async instanceReadInstance(_request, reply) {
      return reply.code(200).send({ name: product, version: contract.info.version, sign_up: signUp })
    },
  }
}

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import fp from 'fastify-plugin'
import { isApiRequest } from './request-path.ts'

/** Short, and without characters that could break a line of the log. */
const ACCEPTED = /^[\w.:-]{1,64}$/

/** @returns a function that makes the id of a request. Only a trusted proxy may choose it. */
export function createRequestIds(trustedProxies: readonly string[]) {
  const proxies = new BlockList()
  for (const network of trustedProxies) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const given = headers['x-request-id']
    const peer = socket.remoteAddress?.replace(/%.*$/, '')
    const isTrusted = peer !== undefined && proxies.check(peer, familyOf(peer))
    return isTrusted && typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID()
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Sends the id of the request with each response of the API, so that people can quote it. */
export const requestIds = fp(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    if (isApiRequest(request)) reply.header('x-request-id', request.id)
  })
})

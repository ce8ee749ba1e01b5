import type { FastifyRequest } from 'fastify'

/** The path as the router sees it: without host and query, decoded. The same path can be written in many ways. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function isApiRequest(request: FastifyRequest): boolean {
  return /^\/api(\/|$)/.test(request.routeOptions.url ?? '') || /^\/api(\/|$)/.test(pathOf(request))
}

/** Percent signs that are no escape, and bytes that are no text, become characters that nothing is named by. */
export function makeDecodable(url: string): string {
  const escaped = url.replaceAll(/%(?![\da-f]{2})/gi, '%25')
  try {
    decodeURIComponent(escaped)
    return escaped
  } catch {
    return escaped.replaceAll(/%[89a-f][\da-f]/gi, '%EF%BF%BD')
  }
}

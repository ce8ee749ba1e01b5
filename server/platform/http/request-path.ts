import type { FastifyRequest } from 'fastify'

/** The path as the router sees it: decoded, without host and query. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function isApiRequest(request: FastifyRequest): boolean {
  return isApiPath(request.routeOptions.url ?? '') || isApiPath(pathOf(request))
}

export function isApiPath(path: string): boolean {
  return /^\/api(\/|$)/.test(path)
}

/** Escapes stray percent signs, and replaces bytes that are not UTF-8 with U+FFFD, which no route contains. */
export function escapeInvalid(url: string): string {
  const escaped = url.replaceAll(/%(?![\da-f]{2})/gi, '%25')
  try {
    decodeURIComponent(escaped)
    return escaped
  } catch {
    return escaped.replaceAll(/%[89a-f][\da-f]/gi, '%EF%BF%BD')
  }
}

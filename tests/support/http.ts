import { type Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** Milliseconds from the request to the last byte of the response. */
  ms: number
}

export interface RequestOptions {
  token?: string | undefined
  json?: object
  form?: Record<string, string>
  /** The client address in `X-Forwarded-For`. The server needs `TRUST_US` to use it. */
  from?: string
  agent?: Agent
  timeoutMs?: number
}

/** Server settings that let tests use many client addresses, each with its own limits. */
export const TRUST_US = { TRUSTED_PROXIES: '127.0.0.1', SIGNUP_LIMIT_PER_HOUR: '1000000' }

const DEFAULT_TIMEOUT_MS = 60_000

/** Sends a request on a given connection, which `fetch` cannot do. @throws Error if the response is incomplete */
export function ask(method: string, url: string, options: RequestOptions = {}): Promise<Reply> {
  const { token, json, form, from, agent, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : undefined
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(from !== undefined && { 'x-forwarded-for': from }),
    ...(json && { 'content-type': 'application/json' }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  }
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const request = send(url, { method, headers, ...(agent && { agent }) })
    const timer = setTimeout(() => request.destroy(new Error(`No response in ${timeoutMs} ms`)), timeoutMs)
    request.once('close', () => clearTimeout(timer))
    request.once('error', reject)
    request.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('error', reject)
      response.once('end', () => {
        const { statusCode: status = 0, headers: answered } = response
        resolve({ status, headers: answered, body: text, ms: performance.now() - begun })
      })
    })
    request.end(body)
  })
}

export function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

import { type Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** From the request until the last byte of the answer. */
  ms: number
}

export interface Asking {
  token?: string | undefined
  json?: object
  form?: Record<string, string>
  /** The address it seems to come from, where the server trusts this machine's word for it. */
  from?: string
  agent?: Agent
  timeoutMs?: number
}

/** Lets a trial be many people: each network address has limits of its own. */
export const TRUST_US = { TRUSTED_PROXIES: '127.0.0.1', SIGNUP_LIMIT_PER_HOUR: '1000000' }

const DEFAULT_TIMEOUT_MS = 60_000

/**
 * One request, sent once: unlike `fetch` it can be told which connection to use, and says what became of it.
 * @throws Error when there is no whole answer
 */
export function ask(method: string, url: string, asking: Asking = {}): Promise<Answer> {
  const { token, json, form, from, agent, timeoutMs = DEFAULT_TIMEOUT_MS } = asking
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
    const request = httpRequest(url, { method, headers, ...(agent && { agent }) })
    const timer = setTimeout(() => request.destroy(new Error(`No answer in ${timeoutMs} ms`)), timeoutMs)
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

/** A network address of an own block for each number. */
export function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

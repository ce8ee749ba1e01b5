import { createHash, createHmac } from 'node:crypto'

export interface Signer {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

interface Request {
  method: string
  /** Without a query, and with no character in its path that needs an escape. */
  url: string
  /** With the digest of the body, or `UNSIGNED-PAYLOAD`, as `x-amz-content-sha256`. */
  headers: Record<string, string>
  /** In milliseconds since 1970. */
  at: number
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The headers of a request to S3, with its signature (AWS Signature Version 4). All of them are signed. */
export function signedHeaders(signer: Signer, { method, url, headers, at }: Request): Record<string, string> {
  const { region, accessKeyId, secretAccessKey } = signer
  const { host, pathname } = new URL(url)
  const time = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const all: Record<string, string> = { ...headers, host, 'x-amz-date': time }
  const names = Object.keys(all).toSorted()
  const lines = names.map((name) => `${name}:${all[name]}\n`).join('')
  const canonical = [method, pathname, '', lines, names.join(';'), all['x-amz-content-sha256']].join('\n')
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request']
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  const credential = [accessKeyId, ...scope].join('/')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  const { host: _host, ...sent } = all
  return { ...sent, authorization }
}

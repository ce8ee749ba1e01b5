import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function signatureOf(request: IncomingMessage, signed: string[], scope: string, secret: string): Buffer {
  const { method = '', url = '', headers } = request
  const { pathname, searchParams } = new URL(url, 'http://x')
  const parameters = Array.from(searchParams, (pair) => pair.map(encodeURIComponent).join('='))
  const query = parameters.toSorted().join('&')
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const payload = String(headers['x-amz-content-sha256'])
  const canonical = [method, pathname, query, lines, signed.join(';'), payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`)
  return hmac(key, text)
}

/** A server for the operations of S3 that we use. It checks each signature, and stores only complete bodies. */
export async function startFakeS3({ keyId, secret }: { keyId: string; secret: string }) {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  let fault: { status: number; code: string } | undefined
  let isHanging = false
  let sentBytes = Infinity

  function isSigned(request: IncomingMessage): boolean {
    const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/
    const [, id, scope = '', names = '', given = ''] = pattern.exec(request.headers.authorization ?? '') ?? []
    const signed = names.split(';')
    if (id !== keyId || !signed.includes('host') || !signed.includes('x-amz-date')) return false
    return timingSafeEqual(Buffer.from(given, 'hex'), signatureOf(request, signed, scope, secret))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    const refuse = (status: number, code: string) => {
      request.resume()
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
    }
    if (isHanging) return
    if (fault) return refuse(fault.status, fault.code)
    if (!isSigned(request)) return refuse(403, 'SignatureDoesNotMatch')
    if (method === 'PUT') {
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      if (Number.isNaN(length)) return refuse(411, 'MissingContentLength')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      objects.set(url, Buffer.concat(chunks))
      response.writeHead(200).end()
    } else if (method === 'DELETE') {
      objects.delete(url)
      response.writeHead(204).end()
    } else {
      const found = objects.get(url)
      if (!found) return refuse(404, 'NoSuchKey')
      response.writeHead(200, { 'content-length': found.length })
      if (sentBytes >= found.length) return void response.end(found)
      response.flushHeaders()
      response.write(found.subarray(0, sentBytes), () => setTimeout(() => response.destroy(), 50))
    }
  }

  const server = createServer((request, response) => {
    // The body ended early, so nothing is stored.
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    requests,
    fail: (status?: number, code = 'InternalError') => {
      fault = status === undefined ? undefined : { status, code }
    },
    /** Accepts requests, but neither reads nor answers them. */
    hang: () => {
      isHanging = true
    },
    breakOffAfter: (bytes: number) => {
      sentBytes = bytes
    },
    stop,
  }
}

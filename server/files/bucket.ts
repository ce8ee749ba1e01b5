import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { type FileStorage, storageAway } from '../platform/file-storage.ts'

export interface BucketSettings {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** For those who run the server, without the keys. */
  place: string
  /** Of the folder in the bucket, with a slash at its end. */
  address: string
}

/** The time for an answer to begin, once the request was sent. */
const ANSWER_MS = 30_000

/** Contents as objects of an S3-compatible storage. @param warn gets what the storage refuses, without keys */
export function createBucketStorage(
  { place, address, ...keys }: BucketSettings,
  warn: (message: string) => void,
): FileStorage {
  /** @throws DomainError `busy` without one of these statuses */
  async function send(id: string, statuses: readonly number[], init: RequestInit = {}): Promise<Response> {
    const { method = 'GET' } = init
    const late = new AbortController()
    // The sender of a body decides how long it takes.
    const timer = init.body ? undefined : setTimeout(() => late.abort(), ANSWER_MS)
    try {
      const url = new URL(id, address).href
      // Not of the body, which is a stream: TLS protects it.
      const signer = new AwsV4Signer({ ...keys, service: 's3', method, url, headers: init.headers ?? {} })
      const { headers } = await signer.sign()
      const response = await fetch(url, { ...init, headers, signal: late.signal, redirect: 'error' })
      if (statuses.includes(response.status)) return response
      const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? []
      warn(`${place}: ${method} was answered with ${response.status} ${code}`.trimEnd())
    } catch (error) {
      const { message, cause } = error as Error
      warn(`${place}: ${method} failed: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}`)
    } finally {
      clearTimeout(timer)
    }
    throw storageAway()
  }

  return {
    place,

    async put(id, content, size) {
      let failure: unknown
      async function* watched(): AsyncGenerator<Buffer> {
        try {
          yield* content
        } catch (error) {
          failure = error
          throw error
        }
      }
      const body = Readable.toWeb(Readable.from(watched(), { objectMode: false })) as NonNullable<RequestInit['body']>
      try {
        const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
        const init = { method: 'PUT', headers, body, duplex: 'half' as const }
        const response = await send(id, [200], init)
        await response.body?.cancel()
      } catch (error) {
        throw failure ?? error
      }
    },

    async get(id) {
      const response = await send(id, [200, 404])
      if (response.status === 200 && response.body) return Readable.from(response.body, { objectMode: false })
      await response.body?.cancel()
      return undefined
    },

    async delete(id) {
      const response = await send(id, [200, 204, 404], { method: 'DELETE' })
      await response.body?.cancel()
    },
  }
}

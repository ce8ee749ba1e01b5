import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { type FileStorage, storageUnavailable } from '../platform/file-storage.ts'

export interface BucketSettings {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** The name of the bucket in messages to operators, without keys. */
  place: string
  /** The URL of the folder in the bucket, with a slash at its end. */
  address: string
}

/** The storage may take this long to accept a chunk, and to begin its answer. */
const ANSWER_MS = 30_000
/** A storage may still store the content, or half of it, for this long after a request broke off. */
const LATE_MS = 10 * 60_000

/** Aborts `signal` if the storage does nothing for `ms` after `start`. */
function createPatience(ms: number) {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearTimeout(timer)
  return {
    signal: late.signal,
    stop,
    start(): void {
      stop()
      timer = setTimeout(() => late.abort(new Error(`nothing happened for ${ms / 1000} s`)), ms).unref()
    },
  }
}

/** Stores files as objects of an S3-compatible storage. @param warn gets messages about failures, without keys */
export function createBucketStorage(
  { place, address, ...keys }: BucketSettings,
  warn: (message: string) => void,
  answerMs = ANSWER_MS,
): FileStorage {
  /** @returns `undefined` if there is no object @throws DomainError `busy` */
  async function send(id: string, init: RequestInit = {}, patience = createPatience(answerMs)) {
    const { method = 'GET' } = init
    patience.start()
    try {
      const url = new URL(id, address).href
      // The signature does not cover the body, because the body is a stream, and TLS protects it.
      const signer = new AwsV4Signer({ ...keys, service: 's3', method, url, headers: init.headers ?? {} })
      const { headers } = await signer.sign()
      const response = await fetch(url, { ...init, headers, signal: patience.signal, redirect: 'error' })
      if (response.ok) return response
      const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? []
      // Other codes with 404 mean that the bucket is missing.
      if (response.status === 404 && code === 'NoSuchKey') return undefined
      warn(`${place}: ${method} was answered with ${response.status} ${code}`.trimEnd())
    } catch (error) {
      const { message, cause } = error as Error
      warn(`${place}: ${method} failed: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}`)
    } finally {
      patience.stop()
    }
    throw storageUnavailable()
  }

  return {
    place,
    lateMs: LATE_MS,

    async put(id, content, size) {
      const patience = createPatience(answerMs)
      let isReading = true
      let failure: unknown
      async function* watched(): AsyncGenerator<Buffer> {
        try {
          // The time stops while the next chunk comes from the client, which may be slower than the storage.
          patience.stop()
          for await (const chunk of content) {
            isReading = false
            patience.start()
            yield chunk
            patience.stop()
            isReading = true
          }
          patience.start()
        } catch (error) {
          // `yield` throws what ended the request to the storage.
          if (isReading) failure = error
          throw error
        }
      }
      const body = Readable.toWeb(Readable.from(watched(), { objectMode: false })) as NonNullable<RequestInit['body']>
      try {
        const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
        const init = { method: 'PUT', headers, body, duplex: 'half' as const }
        const response = await send(id, init, patience)
        if (!response) throw storageUnavailable()
        await response.body?.cancel()
      } catch (error) {
        throw failure ?? error
      }
    },

    async get(id) {
      const response = await send(id)
      return response?.body ? Readable.from(response.body, { objectMode: false }) : undefined
    },

    async delete(id) {
      const response = await send(id, { method: 'DELETE' })
      await response?.body?.cancel()
    },
  }
}

import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { type FileStorage, storageUnavailable } from '../platform/file-storage.ts'

export interface BucketSettings {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Shown to operators. Has no keys. */
  place: string
  /** Of the folder in the bucket, with a slash at its end. */
  address: string
}

/** How long the storage may take for a part of a content, and until its answer begins. */
const ANSWER_MS = 30_000
/** After a request broke off, a storage may still store the whole content, or half of it. */
const LATE_MS = 10 * 60_000

/** Ends a request if the storage does nothing for this time. */
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

/** Contents as objects of an S3-compatible storage. @param warn gets what the storage refuses, without keys */
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
      // Signs no digest of the body, which is a stream and protected by TLS.
      const signer = new AwsV4Signer({ ...keys, service: 's3', method, url, headers: init.headers ?? {} })
      const { headers } = await signer.sign()
      const response = await fetch(url, { ...init, headers, signal: patience.signal, redirect: 'error' })
      if (response.ok) return response
      const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? []
      // Any other 404 concerns the bucket.
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
      let failure: unknown
      async function* watched(): AsyncGenerator<Buffer> {
        try {
          // The sender decides how long each part of the content takes.
          patience.stop()
          for await (const chunk of content) {
            patience.start()
            yield chunk
            patience.stop()
          }
          patience.start()
        } catch (error) {
          failure = error
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

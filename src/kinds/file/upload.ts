import { filesReadFile, filesUploadFile } from '@/client/sdk.gen'
import type { FilePublic } from '@/client/types.gen'
import { saveFile } from '@/browser/save-file'
import { readBytes } from '@/data/given-file'
import { Unreachable } from '@/data/api/errors'

interface UploadOptions {
  signal: AbortSignal
  /** @param part the fraction that is sent, between 0 and 1 */
  onProgress: (part: number) => void
}

/** Uploads a file. A row that is saved later refers to it. @throws UserError if the browser cannot read the file */
export async function uploadFile(file: File, { signal, onProgress }: UploadOptions): Promise<FilePublic> {
  await readBytes(file, 1)
  try {
    const { data } = await filesUploadFile({
      query: { name: file.name || 'file' },
      body: file,
      signal,
      fetch: ((request: Request) => send(request, file, onProgress)) as typeof fetch,
    })
    return data
  } catch (error) {
    // A file that was changed or deleted also looks like a network error; then reading it throws a clearer error.
    if (error instanceof Unreachable) await readBytes(file, 1)
    throw error
  }
}

function send(request: Request, body: File, onProgress: (part: number) => void): Promise<Response> {
  request.signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const sending = new XMLHttpRequest()
  sending.open(request.method, request.url)
  sending.withCredentials = true
  sending.responseType = 'arraybuffer'
  for (const [name, value] of request.headers) sending.setRequestHeader(name, value)
  sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  sending.addEventListener('load', () => {
    const { response, status, statusText } = sending
    resolve(new Response(response as ArrayBuffer, { status, statusText, headers: headersOf(sending) }))
  })
  sending.addEventListener('error', () => reject(new Unreachable(undefined)))
  sending.addEventListener('abort', () => reject(new DOMException('The upload was cancelled', 'AbortError')))
  request.signal.addEventListener('abort', () => sending.abort())
  sending.send(body)
  return promise
}

const headersOf = (sent: XMLHttpRequest): [string, string][] =>
  Array.from(sent.getAllResponseHeaders().matchAll(/^([\w-]+): (.*)$/gm), ([, name = '', value = '']) => [name, value])

export async function readContent(id: string): Promise<Blob> {
  const { data } = await filesReadFile({ path: { id }, parseAs: 'blob' })
  return data
}

export async function download({ id, name }: FilePublic): Promise<void> {
  saveFile(await readContent(id), name)
}

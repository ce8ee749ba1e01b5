import { http, HttpResponse, type HttpHandler } from 'msw'
import type { FilePublic } from '@/client/types.gen'
import { refusal } from './responses'

export class Files {
  private readonly contents = new Map<string, { file: FilePublic; content: ArrayBuffer }>()

  add(name: string, content: ArrayBuffer): FilePublic {
    const isPng = new TextDecoder('latin1').decode(content.slice(0, 4)) === '\x89PNG'
    const file = {
      id: crypto.randomUUID(),
      name,
      type: isPng ? 'image/png' : 'application/octet-stream',
      size: content.byteLength,
    }
    this.keep(file, content)
    return file
  }

  keep(file: FilePublic, content: ArrayBuffer): void {
    this.contents.set(file.id, { file, content })
  }

  find(id: string) {
    return this.contents.get(id)
  }

  link<Body extends object>(body: Body): Body {
    const entries = Object.entries(body).map(([name, value]: [string, { id?: string } | null]) => {
      return [name, this.find(value?.id ?? '')?.file ?? value]
    })
    return Object.fromEntries(entries) as Body
  }
}

export function transferOf(file: File, isFolder = false): object {
  const item = { kind: 'file', webkitGetAsEntry: () => ({ isDirectory: isFolder }) }
  return { files: [file], items: [item], types: ['Files'] }
}

/** A file that the browser can no longer read. Chrome reports size 0 for a deleted one. */
export function unreadableFile(name: string, reason: 'NotFoundError' | 'NotReadableError'): File {
  const fail = { arrayBuffer: () => Promise.reject(new DOMException('', reason)) }
  const file = new File(reason === 'NotFoundError' ? [] : ['text'], name)
  return Object.assign(file, fail, { slice: () => Object.assign(new Blob(), file.size === 0 ? {} : fail) })
}

interface Host {
  files: Files
  signedIn: (
    answer: (request: Request, id: string) => Response | Promise<Response>,
  ) => (info: { request: Request; params: Record<string, unknown> }) => Promise<Response> | Response
}

export function fileHandlers(api: string, { files, signedIn }: Host): HttpHandler[] {
  return [
    http.post(
      `${api}/files`,
      signedIn(async (request) => {
        const name = new URL(request.url).searchParams.get('name') ?? ''
        return HttpResponse.json(files.add(name, await request.arrayBuffer()))
      }),
    ),
    http.get(
      `${api}/files/:id`,
      signedIn((_, id) => {
        const found = files.find(id)
        if (!found) return refusal(404, 'File not found')
        const headers = { 'content-type': found.file.type, 'content-disposition': 'attachment; filename="file"' }
        return new HttpResponse(found.content, { headers })
      }),
    ),
  ]
}

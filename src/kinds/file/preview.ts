import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { FilePublic } from '@/client/types.gen'
import { readContent } from './upload'

/** The width and height of a preview in CSS pixels. */
const SIDE = 96
/** Larger stored images are not read for a preview. */
const MAX_READ_BYTES = 2_000_000
/** Decoding larger files needs more memory than phones have. */
const MAX_BYTES = 10_000_000
/** A limit for small files that decode to gigabytes. */
const MAX_PIXELS = 50_000_000

export const isImage = (type: string): boolean => /^image\/(png|jpeg|gif|webp)$/.test(type)

/** A small version of an image as a data URL. @returns `undefined` if it cannot be decoded or is too large */
export async function previewOf(content: Blob): Promise<string | undefined> {
  if (content.size > MAX_BYTES || !('createImageBitmap' in window)) return undefined
  try {
    if ((await pixelsOf(content)) > MAX_PIXELS) return undefined
    const image = await createImageBitmap(content)
    const side = SIDE * Math.min(window.devicePixelRatio, 2)
    const scale = Math.max(side / image.width, side / image.height)
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const [width, height] = [image.width * scale, image.height * scale]
    canvas.getContext('2d')?.drawImage(image, (side - width) / 2, (side - height) / 2, width, height)
    image.close()
    return canvas.toDataURL()
  } catch {
    return undefined
  }
}

/** The number of pixels, which browsers read without decoding the image. */
async function pixelsOf(content: Blob): Promise<number> {
  const image = new Image()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  image.addEventListener('load', resolve)
  image.addEventListener('error', reject)
  image.src = await dataUrlOf(content)
  await promise
  return image.naturalWidth * image.naturalHeight
}

/** A data URL, because the page's Content-Security-Policy forbids `blob:` images. */
function dataUrlOf(content: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(reader.result as string))
  reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')))
  reader.readAsDataURL(content)
  return promise
}

const keyOf = (id: string) => ['preview', id] as const

/** A data URL with a small version of a stored image. `undefined` while it loads, and for other files. */
export function usePreview({ id, type, size }: FilePublic): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(id),
    queryFn: async () => (await previewOf(await readContent(id))) ?? null,
    enabled: isImage(type) && size <= MAX_READ_BYTES,
    staleTime: Infinity,
    retry: false,
  })
  return data ?? undefined
}

export function storePreview(queryClient: QueryClient, file: FilePublic, preview: string | undefined): void {
  queryClient.setQueryData(keyOf(file.id), preview ?? null)
}

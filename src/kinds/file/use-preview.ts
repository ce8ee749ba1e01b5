import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { FilePublic } from '@/client/types.gen'
import { isImage, previewOf } from './image-preview'
import { readContent } from './upload'

const MAX_READ_BYTES = 2_000_000

const keyOf = (id: string | undefined) => ['preview', id] as const

/** A data URL with a small version of a stored image. `undefined` while it loads, and for other files. */
export function usePreview(file: FilePublic | null | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(file?.id),
    queryFn: async () => (await previewOf(await readContent(file?.id ?? ''))) ?? null,
    enabled: Boolean(file && isImage(file.type) && file.size <= MAX_READ_BYTES),
    staleTime: Infinity,
    retry: false,
  })
  return data ?? undefined
}

export function storePreview(queryClient: QueryClient, file: FilePublic, preview: string | undefined): void {
  queryClient.setQueryData(keyOf(file.id), preview ?? null)
}

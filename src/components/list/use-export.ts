import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiResponse } from '@/lib/api/entity-tag'
import { fileNameOf, saveFile } from '@/lib/save-file'

export interface Export {
  /** Requests the export with `parseAs: 'blob'`. */
  request: () => Promise<ApiResponse<unknown>>
  /** Used if the response has no file name. */
  fileName: string
}

export function useExport({ request, fileName }: Export): { isPending: boolean; start: () => void } {
  const queryClient = useQueryClient()
  const [isPending, setPending] = useState(false)

  async function save(): Promise<void> {
    const { data, response } = await request()
    saveFile(data as Blob, fileNameOf(response) ?? fileName)
  }

  /** Does not use `useMutation`, which is in the chunk of forms. */
  async function run(): Promise<void> {
    setPending(true)
    try {
      await queryClient
        .getMutationCache()
        .build(queryClient, { mutationFn: save, meta: { invalidates: [] } })
        .execute(undefined)
    } catch {
      // A toast reports the error.
    }
    setPending(false)
  }

  return { isPending, start: () => void (isPending || run()) }
}

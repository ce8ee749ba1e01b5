import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ApiResponse } from '@/data/api/entity-tag'
import { fileNameOf, saveFile } from '@/lib/save-file'
import { IconButton } from '../ui/icon-button'

export interface Export {
  /** Requests the export with `parseAs: 'blob'`. */
  request: () => Promise<ApiResponse<unknown>>
  /** Used if the response has no file name. */
  fileName: string
}

export function useExport({ request, fileName }: Export): { isPending: boolean; start: () => void } {
  const { isPending, mutate } = useMutation({
    mutationFn: async () => {
      const { data, response } = await request()
      saveFile(data as Blob, fileNameOf(response) ?? fileName)
    },
    meta: { invalidates: [] },
  })
  return { isPending, start: () => void (isPending || mutate()) }
}

export function ExportButton(source: Export) {
  const { isPending, start } = useExport(source)
  const label = isPending ? 'Exporting…' : 'Export CSV'
  return (
    <IconButton label={label} pending={isPending} onClick={start}>
      <Download aria-hidden />
    </IconButton>
  )
}

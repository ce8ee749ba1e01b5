import { Download } from 'lucide-react'
import type { ApiResponse } from '@/data/api/resource'
import { useRequest } from '@/data/api/use-request'
import { fileNameOf, saveFile } from '@/browser/save-file'
import { IconButton } from '../ui/icon-button'

export interface Export {
  /** Must use `parseAs: 'blob'`. */
  request: () => Promise<ApiResponse<unknown>>
  fileName: string
}

export function useExport({ request, fileName }: Export) {
  return useRequest({
    mutationFn: async () => {
      const { data, response } = await request()
      saveFile(data as Blob, fileNameOf(response) ?? fileName)
    },
    meta: { invalidates: [] },
  })
}

export function ExportButton(source: Export) {
  const { pending, send } = useExport(source)
  const label = pending ? 'Exporting…' : 'Export CSV'
  return (
    <IconButton label={label} pending={pending} onClick={() => send()}>
      <Download aria-hidden />
    </IconButton>
  )
}

import { Download } from 'lucide-react'
import type { ApiResponse } from '@/data/api/resource'
import { useRequest } from '@/data/api/use-request'
import { fileNameOf, saveFile } from '@/browser/save-file'
import { IconButton } from '../ui/button'

/** @param request must use `parseAs: 'blob'` */
export function useExport(fileName: string, request: () => Promise<ApiResponse<unknown>>) {
  return useRequest({
    mutationFn: async () => {
      const { data, response } = await request()
      saveFile(data as Blob, fileNameOf(response) ?? fileName)
    },
    meta: { invalidates: [] },
  })
}

export function ExportButton(props: ReturnType<typeof useExport> & { className?: string }) {
  const { pending, send, className } = props
  const label = pending ? 'Exporting…' : 'Export CSV'
  return (
    <IconButton label={label} pending={pending} className={className} onClick={() => send()}>
      <Download aria-hidden />
    </IconButton>
  )
}

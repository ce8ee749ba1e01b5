import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { ApiResponse } from '@/lib/api/entity-tag'
import { fileNameOf, saveFile } from '@/lib/save-file'
import { Button } from '../ui/button'

interface ExportButtonProps {
  /** Requests the export with `parseAs: 'blob'`. */
  request: () => Promise<ApiResponse<unknown>>
  /** Used if the response has no file name. */
  fileName: string
}

export function ExportButton({ request, fileName }: ExportButtonProps) {
  const queryClient = useQueryClient()
  const [isPending, setPending] = useState(false)

  async function save(): Promise<void> {
    const { data, response } = await request()
    saveFile(data as Blob, fileNameOf(response) ?? fileName)
  }

  /** Does not use `useMutation`, which is in the chunk of forms. */
  async function start(): Promise<void> {
    setPending(true)
    try {
      await queryClient.getMutationCache().build(queryClient, { mutationFn: save }).execute(undefined)
    } catch {
      // A toast reports the error.
    }
    setPending(false)
  }

  return (
    <Button
      variant="secondary"
      // Wide enough for both labels, so that nothing moves.
      className="min-w-35"
      pending={isPending}
      pendingLabel="Exporting…"
      onClick={() => void start()}
    >
      <Download aria-hidden />
      Export CSV
    </Button>
  )
}

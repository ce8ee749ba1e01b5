import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '@/lib/api/entity-tag'
import { isMissing, ToldError } from '@/lib/api/errors'
import { fileNameOf, saveFile } from '@/lib/save-file'
import { Button } from '../ui/button'

interface ExportButtonProps {
  /** Requests the export with `parseAs: 'blob'`. */
  ask: () => Promise<Answer<unknown>>
  /** Used if the response has no file name. */
  fileName: string
}

export function ExportButton({ ask, fileName }: ExportButtonProps) {
  const queryClient = useQueryClient()
  const [isPending, setPending] = useState(false)

  async function save(): Promise<void> {
    try {
      const { data, response } = await ask()
      saveFile(data as Blob, fileNameOf(response) ?? fileName)
    } catch (error) {
      if (!isMissing(error)) throw error
      throw new ToldError('This server does not export lists.', { cause: error })
    }
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

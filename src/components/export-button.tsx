import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { isMissing, ToldError } from '@/lib/api/errors'
import { fileNameOf, saveFile } from '@/lib/save-file'
import { Button } from './ui/button'

/** An export as the generated client answers it, read with `parseAs: 'blob'`. */
export type ExportAnswer = Promise<{ data: unknown; response: Response }>

interface ExportButtonProps {
  ask: () => ExportAnswer
  /** Of the file, where the answer gives it none. */
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

  /** Not by `useMutation`, whose code comes with forms. */
  async function start(): Promise<void> {
    setPending(true)
    try {
      await queryClient.getMutationCache().build(queryClient, { mutationFn: save }).execute(undefined)
    } catch {
      // A toast has said it.
    }
    setPending(false)
  }

  return (
    <Button
      variant="secondary"
      // Room for both names, so that nothing moves.
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

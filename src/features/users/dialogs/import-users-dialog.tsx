import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useSave, useZodForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import type { PageDialogControl } from '@/components/page-dialogs'
import { useDroppedFile } from '@/components/use-dropped-file'
import { errorMessage, errorNote } from '@/data/api/errors'
import { givenFile } from '@/data/given-file'
import { toast } from '@/browser/toast'
import { CsvField } from './csv-field'
import { readText } from '../people/read-text'
import { PeopleTable } from './people-table'
import { useInvitation } from './use-invitation'

const schema = z.object({ text: z.string().check(z.minLength(1, 'File content is required')) })

export function ImportUsersDialog(control: PageDialogControl) {
  const form = useZodForm(schema, { text: '' })
  const { show, result, review, wrongLine } = useInvitation(control)
  const read = useSave(form, {
    send: ({ text }) => show(text, false),
    meta: { failure: 'form' },
    onError: (error) => {
      const message = [errorMessage(error), errorNote(error)].filter(Boolean).join(' ')
      form.setError('text', { type: 'refused', message }, { shouldFocus: true })
    },
  })
  const [isGuessed, setGuessed] = useState(false)

  async function readFile(choose: () => File | undefined): Promise<void> {
    try {
      const file = choose()
      if (!file) return
      const content = await readText(file)
      setGuessed(content.isGuessed)
      form.setValue('text', content.text, { shouldDirty: true, shouldValidate: true })
      read.submit()
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }

  const zone = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isOver = useDroppedFile(
    () => zone.current?.closest('[role=dialog]'),
    (dropped) => void readFile(() => givenFile(dropped)),
  )
  const note = isGuessed && (
    <p className="mb-4">
      The file is not UTF-8, and was read as Windows-1252, as Excel writes it in Western Europe. Check the accents of
      names.
    </p>
  )
  return (
    <FormDialog
      {...control}
      {...read}
      title="Import CSV"
      description="Invites many people at once. The first line names the columns: email and, if you like, full_name and is_superuser, in any order. A list of addresses needs no columns. At most 2,000 rows."
      saveLabel="Preview"
      isPreview={result === undefined}
      isWide
      result={result ?? (review && <PeopleTable {...review} note={note} />)}
    >
      <div ref={zone} className="mb-4">
        <div
          className={clsx(
            'flex flex-wrap items-center gap-3 rounded-md border border-dashed border-input p-2',
            isOver && 'bg-muted',
          )}
        >
          <input
            ref={input}
            type="file"
            aria-label="CSV file"
            accept=".csv,.tsv,.txt,text/csv"
            hidden
            onChange={({ target }) => {
              void readFile(() => target.files?.[0])
              // Without this, the browser would report no change if the user chose the same file again.
              target.value = ''
            }}
          />
          <span className="hidden text-muted-foreground pointer-fine:inline">Drop a file on this dialog, or</span>
          <Button variant="secondary" onClick={() => input.current?.click()}>
            <FileUp aria-hidden />
            Choose File
          </Button>
        </div>
      </div>
      {note}
      <CsvField control={form.control} selectedLine={wrongLine} />
    </FormDialog>
  )
}

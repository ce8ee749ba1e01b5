import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import { usersImportUsers } from '@/client/sdk.gen'
import type { ImportResult } from '@/client/types.gen'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { FormDialog } from '@/components/dialog/form-dialog'
import { TextField } from '@/components/form/text-field'
import { useConfirmed } from '@/components/form/use-confirmed'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/use-dialog'
import { errorMessage, errorNote } from '@/lib/api/errors'
import { countText } from '@/lib/range-text'
import { toast } from '@/lib/toast'
import { bodyOf, type People, readPeople, readText } from './read-people'

const schema = z.object({ text: z.string().check(z.minLength(1, 'File content is required')) })

interface Preview {
  people: People
  /** What the server would do with the rows that could be read. */
  result: ImportResult
}

/** Invites the people of a CSV file, after a preview. */
export function ImportUsersDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(schema, { text: '' })
  const [preview, setPreview] = useState<Preview>()
  const read = useSubmit(form, {
    mutationFn: async ({ text }: { text: string }) => previewOf(await readPeople(text)),
    meta: { failure: 'form' },
    onSuccess: setPreview,
    // Until the text changes.
    onError: (error) => {
      const message = [errorMessage(error), errorNote(error)].filter(Boolean).join(' ')
      form.setError('text', { type: 'refused', message }, { shouldFocus: true })
    },
  })
  return (
    <FormDialog
      {...control}
      {...read}
      title="Import CSV"
      description="Invites many people at once. The first line names the columns: email and, if you like, full_name and is_superuser, in any order. At most 2,000 rows."
      form={form}
      schema={schema}
      saveRule="valid"
      saveLabel="Preview"
      isPreview
      result={
        preview && (
          <PreviewOfImport
            preview={preview}
            onChanged={(result) => setPreview({ ...preview, result })}
            onBack={() => setPreview(undefined)}
            onDone={onDone}
          />
        )
      }
    >
      <FileButton onText={(text) => form.setValue('text', text, { shouldDirty: true, shouldValidate: true })} />
      <TextField
        control={form.control}
        name="text"
        label="File content"
        multiline
        autoComplete="off"
        placeholder={'email,full_name\nada@example.com,Ada Lovelace'}
        required
      />
    </FormDialog>
  )
}

async function previewOf(people: People): Promise<Preview> {
  const rows = bodyOf(people.rows)
  if (rows.length === 0) return { people, result: { invited: 0, existing: [], errors: [] } }
  return { people, result: (await usersImportUsers({ body: { rows, dry_run: true } })).data }
}

function FileButton({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)

  async function read({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    if (!file) return
    try {
      onText(await readText(file))
    } catch (error) {
      toast.error(errorMessage(error))
    }
    // The same file can be chosen again.
    target.value = ''
  }

  return (
    <div className="mb-4">
      <input
        ref={input}
        type="file"
        aria-label="CSV file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        onChange={(event) => void read(event)}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        <FileUp aria-hidden />
        Choose File
      </Button>
    </div>
  )
}

interface PreviewProps {
  preview: Preview
  /** The server has found errors or other accounts meanwhile. */
  onChanged: (result: ImportResult) => void
  onBack: () => void
  onDone: () => void
}

function PreviewOfImport({ preview: { people, result }, onChanged, onBack, onDone }: PreviewProps) {
  const back = useRef<HTMLButtonElement>(null)
  // Takes the focus of the removed button.
  useLayoutEffect(() => back.current?.focus(), [])
  const errors = errorsOf(people, result)
  const { invited, existing } = result
  const { data: overview } = useQuery(usersReadOverviewOptions())
  const isWithoutMail = overview?.setup?.mail === false
  const canSend = errors.length === 0 && invited > 0
  const { pending, onConfirm } = useConfirmed({
    send: async () => (await usersImportUsers({ body: { rows: bodyOf(people.rows) } })).data,
    meta: { invalidates: ['users', 'audit'] },
    onSuccess: (done) => {
      if (done.errors.length > 0) onChanged({ ...done, invited: 0 })
      else {
        toast.success(`${countText(done.invited, 'invitation')} sent.`)
        onDone()
      }
    },
  })
  return (
    <>
      <DialogBody
        description={
          <output className="font-medium text-foreground">
            {summaryOf(invited, existing.length, new Set(errors.map(({ line }) => line)).size)}
          </output>
        }
      >
        {people.ignored.length > 0 && (
          <p className="mb-4">
            {people.ignored.length === 1 ? 'One column is' : 'These columns are'} ignored:{' '}
            <UserText>{people.ignored.join(', ')}</UserText>
          </p>
        )}
        {isWithoutMail && canSend && (
          <p className="mb-4">
            This server sends no mail. Give the links to the people yourself: Resend Invitation in the menu of each user
            shows one.
          </p>
        )}
        {errors.length > 0 && (
          <>
            <p className="mb-2">Nobody is invited until these are corrected:</p>
            <ul aria-label="Errors" className="mb-4 text-destructive">
              {errors.map(({ line, detail }) => (
                <li key={`${line} ${detail}`}>
                  Line {line}: {detail}
                </li>
              ))}
            </ul>
          </>
        )}
        {existing.length > 0 && (
          <details className="mb-4 text-muted-foreground">
            <summary className="min-h-6">Already have an account and stay as they are</summary>
            <ul aria-label="Already have an account">
              {existing.map((email) => (
                <li key={email}>
                  <UserText>{email}</UserText>
                </li>
              ))}
            </ul>
          </details>
        )}
      </DialogBody>
      <DialogFooter>
        <Button ref={back} variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button disabled={!canSend} pending={pending} onClick={onConfirm}>
          Send {countText(invited, 'Invitation')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface LineError {
  line: number
  detail: string
}

/** In the order of lines. */
function errorsOf({ rows, columns }: People, result: ImportResult): LineError[] {
  const sent = rows.filter(({ error }) => error === undefined)
  const unread = rows.flatMap(({ line, error }) =>
    error ? [{ line, detail: [error.column, error.reason].filter(Boolean).join(': ') }] : [],
  )
  const refused = result.errors.map(({ row, field, detail }) => ({
    line: sent[row - 1]?.line ?? row,
    detail: `${Object.entries(columns).find(([name]) => name === field)?.[1] ?? field}: ${detail}`,
  }))
  return [...unread, ...refused].toSorted((a, b) => a.line - b.line)
}

/** `180 invitations, 12 already have an account, 3 rows with errors` */
function summaryOf(invited: number, existing: number, wrong: number): string {
  return [
    countText(invited, 'invitation'),
    existing > 0 && `${countText(existing, 'already has', 'already have')} an account`,
    wrong > 0 && `${countText(wrong, 'row')} with errors`,
  ]
    .filter(Boolean)
    .join(', ')
}

import { FileUp } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { usersImportUsers } from '@/client/sdk.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useConfirm } from '@/components/form/use-confirm'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { useStay } from '@/components/dialog/shown-once'
import { Button } from '@/components/ui/button'
import type { PageDialogControl } from '@/components/use-dialog'
import { errorMessage, errorNote } from '@/data/api/errors'
import { countText } from '@/lib/range-text'
import { toast } from '@/data/toast'
import { ImportPreview } from './import-preview'
import { type Invited, useInvitedPeople } from './invited-people'
import { LinesField } from './lines-field'
import { invitedOf, type Outcome, outcomesOf, readyOf, withResult } from './outcomes'
import { bodyOf, type People, readPeople } from './read-people'
import { readText } from './read-text'

const schema = z.object({ text: z.string().check(z.minLength(1, 'File content is required')) })

interface Preview {
  people: People
  outcomes: readonly Outcome[]
  /** Otherwise the answer has the links. */
  hasMail: boolean
}

/** Invites the people of a CSV file, after a preview. */
export function ImportUsersDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(schema, { text: '' })
  const [preview, setPreview] = useState<Preview>()
  const [wrongLine, setWrongLine] = useState<number>()
  const { result, onClose, onInvited } = useInvitedPeople({ onDone, ...control })
  const read = useSave(form, {
    send: async ({ text }: { text: string }) => previewOf(await readPeople(text)),
    meta: { failure: 'form' },
    onSaved: setPreview,
    // Until the text changes.
    onError: (error) => {
      const message = [errorMessage(error), errorNote(error)].filter(Boolean).join(' ')
      form.setError('text', { type: 'refused', message }, { shouldFocus: true })
    },
  })
  const { pending, onConfirm } = useConfirm({
    send: async () => (await usersImportUsers({ body: { rows: bodyOf(readyOf(preview?.outcomes ?? [])) } })).data,
    meta: { invalidates: ['users'] },
    onDone: (done) => {
      if (!preview) return
      if (done.errors.length > 0) {
        // The server has found errors meanwhile.
        setPreview({ ...preview, outcomes: withResult(preview.outcomes, done, preview.people.columns) })
      } else if (done.links === null) {
        toast.success(`${countText(done.invited, 'invitation')} sent.`)
        void onDone()
      } else onInvited(toInvited(preview.outcomes, done.links))
    },
  })
  const isWaiting = pending && preview?.hasMail === false
  useStay(isWaiting, askToWait)
  return (
    <FormDialog
      {...control}
      {...read}
      onClose={isWaiting ? askToWait : onClose}
      title="Import CSV"
      description="Invites many people at once. The first line names the columns: email and, if you like, full_name and is_superuser, in any order. At most 2,000 rows."
      form={form}
      schema={schema}
      saveRule="valid"
      saveLabel="Preview"
      isPreview={result === undefined && !isWaiting}
      isWide
      result={
        result ??
        (preview && (
          <ImportPreview
            {...preview}
            pending={pending}
            onConfirm={() => {
              // It is still visible while it closes.
              if (control.open) onConfirm()
            }}
            onBack={(line) => {
              setWrongLine(line)
              setPreview(undefined)
            }}
          />
        ))
      }
    >
      <FileButton onText={(text) => form.setValue('text', text, { shouldDirty: true, shouldValidate: true })} />
      <LinesField
        control={form.control}
        name="text"
        label="File content"
        placeholder={'email,full_name\nada@example.com,Ada Lovelace'}
        selectedLine={wrongLine}
      />
    </FormDialog>
  )
}

function askToWait(): void {
  toast.error('Wait for the links.', 'They are not shown again.')
}

async function previewOf(people: People): Promise<Preview> {
  const outcomes = outcomesOf(people)
  const rows = bodyOf(readyOf(outcomes))
  if (rows.length === 0) return { people, outcomes, hasMail: true }
  const result = (await usersImportUsers({ body: { rows, dry_run: true } })).data
  return { people, outcomes: withResult(outcomes, result, people.columns), hasMail: result.links === null }
}

/** The people whom the preview showed, each with the link of the row that was sent. */
function toInvited(outcomes: readonly Outcome[], links: readonly { row: number; link: string }[]): Invited[] {
  const ready = readyOf(outcomes)
  const linkOf = new Map(links.map(({ row, link }) => [ready[row - 1], link]))
  return invitedOf(outcomes).map((row) => {
    const person = { address: row.email, name: row.full_name, isSuperuser: row.is_superuser }
    const link = linkOf.get(row)
    return link === undefined
      ? { ...person, reason: 'Has an account by now. Resend Invitation gives a link to those who were invited.' }
      : { ...person, link }
  })
}

function FileButton({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isGuessed, setIsGuessed] = useState(false)

  async function read({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    if (!file) return
    try {
      const content = await readText(file)
      setIsGuessed(content.isGuessed)
      onText(content.text)
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
      <output className="block">
        {isGuessed && (
          <span className="mt-2 block">
            The file is not UTF-8, and was read as Windows-1252, as Excel writes it in Western Europe. Check the accents
            of names.
          </span>
        )}
      </output>
    </div>
  )
}

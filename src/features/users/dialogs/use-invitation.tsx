import { startTransition, useState } from 'react'
import { usersImportUsers } from '@/client/sdk.gen'
import type { ImportResult } from '@/client/types.gen'
import { useConfirm } from '@/components/form/use-confirm'
import type { PageDialogControl } from '@/components/page-dialogs'
import { errorMessage } from '@/data/api/errors'
import { toast } from '@/browser/toast'
import { type Invited, useInvitedPeople } from './invited-people'
import {
  bodyOf,
  type Corrections,
  invitedOf,
  type Known,
  type PersonRow,
  problemOf,
  tidy,
  toPersonRows,
  withAnswer,
} from '../people/people'
import { PeopleTable } from './people-table'
import { type People, type Person, readInput } from '../people/read-people'

const nothing: Known = { accounts: new Set(), refused: new Map() }

export function useInvitation(dialog: PageDialogControl) {
  const [people, setPeople] = useState<People>()
  const [corrections, setCorrections] = useState<Corrections>({})
  const [known, setKnown] = useState(nothing)
  const [above, setAbove] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [wrongLine, setWrongLine] = useState<number>()
  const rows = people ? toPersonRows(people.rows, corrections, known) : []
  const invited = invitedOf(rows)
  const wrong = wrongOf(rows)
  const { result, onInvited, forget } = useInvitedPeople(dialog)

  async function show(text: string, isList: boolean, isSuperuser = false): Promise<void> {
    const read = await readInput(text, isList, isSuperuser)
    const asked = invitedOf(toPersonRows(read.rows, corrections, nothing))
    const found = withAnswer(nothing, asked, await preview(asked))
    setPeople(read)
    setKnown(found)
    setAbove(keysOf(wrongOf(toPersonRows(read.rows, corrections, found))))
    setOpened(new Set())
  }

  /** Only rows that have changed render, so these functions of other rows may be older. */
  const actions = {
    // A transition, so that rendering many rows does not delay typed letters.
    onType: (key: string, person: Person): void =>
      startTransition(() => setCorrections((before) => ({ ...before, [key]: tidy(person) }))),
    onOpen: (key: string) => setOpened((keys) => new Set([...keys, key])),
    onCorrect: (key: string, corrected: Person | null): void => {
      const person = corrected && tidy(corrected)
      setCorrections((before) => ({ ...before, [key]: person }))
      if (!person || problemOf(person) !== undefined) return
      preview([person])
        .then((answer) => setKnown((before) => withAnswer(before, [person], answer)))
        .catch((error: unknown) => toast.error(errorMessage(error)))
    },
  }

  const { pending, onConfirm } = useConfirm({
    // Rows may change while the request runs, so the answer belongs to these.
    send: async () => {
      const { data: answer } = await usersImportUsers({ body: { rows: bodyOf(invited) } })
      const after = toPersonRows(people?.rows ?? [], corrections, withAnswer(known, invited, answer))
      return { answer, asked: invited, after }
    },
    meta: { invalidates: ['users'], changesMore: true },
    onDone: ({ answer, asked, after }) => {
      setKnown((before) => withAnswer(before, asked, answer))
      setAbove((keys) => new Set([...keys, ...keysOf(wrongOf(after))]))
      // If the server has found an error, it has invited nobody.
      if (answer.errors.length === 0) onInvited(outcomesOf(after, asked, answer.links ?? null))
    },
  })

  /** Returns to the preview, where the invited people now have an account. */
  function correctOthers(): void {
    setKnown((before) => withAnswer(before, invited, { existing: invited.map(({ email }) => email), errors: [] }))
    forget()
  }

  const table = people && (
    <PeopleTable
      people={people}
      rows={rows}
      above={above}
      opened={opened}
      pending={pending}
      {...actions}
      onConfirm={() => {
        // A click during the exit animation must not confirm.
        if (dialog.open) onConfirm()
      }}
      onRestore={() =>
        setCorrections(Object.fromEntries(Object.entries(corrections).filter(([, person]) => person !== null)))
      }
      onBack={() => {
        setWrongLine(wrong[0]?.line)
        setPeople(undefined)
      }}
    />
  )
  return {
    show,
    result: result?.(wrong.length > 0 ? { number: wrong.length, onCorrect: correctOthers } : undefined) ?? table,
    isPreview: result === undefined,
    onInvited,
    wrongLine,
  }
}

const wrongOf = (rows: readonly PersonRow[]) => rows.filter(({ problem }) => problem !== undefined)

const keysOf = (rows: readonly PersonRow[]) => new Set(rows.map(({ key }) => key))

async function preview(rows: readonly Person[]): Promise<Pick<ImportResult, 'existing' | 'errors'>> {
  if (rows.length === 0) return { existing: [], errors: [] }
  return (await usersImportUsers({ body: { rows: bodyOf(rows), dry_run: true } })).data
}

function outcomesOf(
  rows: readonly PersonRow[],
  sent: readonly PersonRow[],
  links: readonly { row: number; link: string }[] | null,
): Invited[] {
  const linkOf = new Map(links?.map(({ row, link }) => [sent[row - 1]?.key, link]))
  const wasSent = new Set(sent.map(({ key }) => key))
  return rows.map(({ key, email, full_name, is_superuser, problem, hasAccount }) => {
    const person = { address: email, name: full_name, isSuperuser: is_superuser }
    const link = linkOf.get(key)
    if (link !== undefined) return { ...person, link }
    if (problem !== undefined) return { ...person, reason: problem }
    if (!hasAccount && links === null) return { ...person, link: null }
    return {
      ...person,
      reason: wasSent.has(key)
        ? 'Has an account by now. Resend Invitation gives a link to those who were invited.'
        : 'Has an account.',
    }
  })
}

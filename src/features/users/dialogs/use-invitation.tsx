import { startTransition, useLayoutEffect, useRef, useState } from 'react'
import { usersImportUsers } from '@/client/sdk.gen'
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
  tidy,
  toPersonRows,
  withAnswer,
} from '../people/people'
import { PeopleTable } from './people-table'
import type { People, Person } from '../people/read-people'

const nothing: Known = { accounts: new Set(), refused: new Map() }

export function useInvitation(dialog: PageDialogControl) {
  const [people, setPeople] = useState<People>()
  const [corrections, setCorrections] = useState<Corrections>({})
  const [known, setKnown] = useState(nothing)
  const [hasMail, setHasMail] = useState(true)
  const [above, setAbove] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [wrongLine, setWrongLine] = useState<number>()
  const { result, onInvited, forget } = useInvitedPeople(dialog)
  const rows = people ? toPersonRows(people.rows, corrections, known) : []
  const latest = useRef({ people, corrections, known })
  useLayoutEffect(() => {
    latest.current = { people, corrections, known }
  })

  /** Asks the server for a preview. @returns a function that adds the answer to what is known when it is called */
  async function ask(asked: readonly Person[]): Promise<(before: Known) => Known> {
    if (asked.length === 0) return (before) => before
    const { data } = await usersImportUsers({ body: { rows: bodyOf(asked), dry_run: true } })
    setHasMail(!data.links)
    return (before) => withAnswer(before, asked, data)
  }

  async function show(read: People): Promise<void> {
    const unasked = toPersonRows(read.rows, corrections, nothing)
    const add = await ask(invitedOf(unasked))
    const found = add(nothing)
    setPeople(read)
    setKnown(found)
    setAbove(new Set(wrongOf(toPersonRows(read.rows, corrections, found)).map(({ key }) => key)))
    setOpened(new Set())
  }

  const [actions] = useState(() => ({
    // A transition, so that rendering many rows does not delay typed letters.
    onType: (key: string, person: Person): void =>
      startTransition(() => setCorrections((before) => ({ ...before, [key]: tidy(person) }))),
    onOpen: (key: string) => setOpened((keys) => new Set([...keys, key])),
    onCorrect: (key: string, person: Person | null): void => {
      const correction = { [key]: person && tidy(person) }
      setCorrections((before) => ({ ...before, ...correction }))
      const made = { ...latest.current.corrections, ...correction }
      const row = toPersonRows(latest.current.people?.rows ?? [], made, nothing).find((one) => one.key === key)
      if (row?.problem !== undefined || !row) return
      ask([row])
        .then((add) => setKnown(add))
        .catch((error: unknown) => toast.error(errorMessage(error)))
    },
  }))

  const invited = invitedOf(rows)
  const { pending, onConfirm } = useConfirm({
    send: async () => (await usersImportUsers({ body: { rows: bodyOf(invited) } })).data,
    meta: { invalidates: ['users'], changesMore: true },
    onDone: (done) => {
      setKnown((before) => withAnswer(before, invited, done))
      const after = toPersonRows(people?.rows ?? [], corrections, withAnswer(latest.current.known, invited, done))
      setAbove(new Set([...above, ...wrongOf(after).map(({ key }) => key)]))
      // If the server has found an error, it has invited nobody.
      if (done.errors.length === 0) onInvited(outcomesOf(after, invited, done.links ?? null))
    },
  })

  /** Returns to the preview, where the invited people now have an account. */
  function correctOthers(): void {
    setKnown((before) => withAnswer(before, invited, { existing: invited.map((row) => row.email), errors: [] }))
    forget()
  }

  function restore(): void {
    setCorrections(Object.fromEntries(Object.entries(corrections).filter(([, person]) => person !== null)))
  }

  const wrong = wrongOf(rows)
  const table = people && (
    <PeopleTable
      people={people}
      rows={rows}
      above={above}
      opened={opened}
      hasMail={hasMail}
      pending={pending}
      {...actions}
      onConfirm={() => {
        // A click during the exit animation must not confirm.
        if (dialog.open) onConfirm()
      }}
      onRestore={restore}
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

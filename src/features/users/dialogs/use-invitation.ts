import { startTransition, useState } from 'react'
import { usersImportUsers } from '@/client/sdk.gen'
import { useConfirm } from '@/components/form/use-confirm'
import type { PageDialogControl } from '@/components/page-dialogs'
import { errorMessage } from '@/data/api/errors'
import { toast } from '@/browser/toast'
import { type Invited, useInvitedPeople } from './invited-people'
import {
  type Answers,
  type Corrections,
  invitedOf,
  type PersonRow,
  problemOf,
  tidy,
  toPersonRows,
  withAnswer,
  wrongOf,
} from '../people/people'
import { type People, type Person, readInput } from '../people/read-people'

const nothing: Answers = new Map()

export function useInvitation(dialog: PageDialogControl) {
  const [people, setPeople] = useState<People>()
  const [corrections, setCorrections] = useState<Corrections>({})
  const [answers, setAnswers] = useState(nothing)
  const [above, setAbove] = useState<ReadonlySet<string>>(new Set())
  const [wrongLine, setWrongLine] = useState<number>()
  const rows = people ? toPersonRows(people.rows, corrections, answers) : []
  const invited = invitedOf(rows)
  const wrong = wrongOf(rows)
  const { result, onInvited } = useInvitedPeople(dialog, { toCorrect: wrong.length })

  async function show(text: string, isList: boolean, isSuperuser?: boolean): Promise<void> {
    const read = await readInput(text, isList, isSuperuser)
    const asked = personsOf(invitedOf(toPersonRows(read.rows, corrections, nothing)))
    const first = withAnswer(nothing, asked, await preview(asked))
    setPeople(read)
    setAnswers(first)
    setAbove(keysOf(wrongOf(toPersonRows(read.rows, corrections, first))))
  }

  const { pending, onConfirm } = useConfirm({
    // Rows may change while the request runs, so the answer belongs to these.
    send: async () => {
      const asked = personsOf(invited)
      const { data: answer } = await usersImportUsers({ body: { rows: asked } })
      const after = toPersonRows(people?.rows ?? [], corrections, withAnswer(answers, asked, answer))
      const links = new Map(answer.links?.map(({ row, link }) => [invited[row - 1]?.key, link]))
      return { answer, asked, after, outcomes: outcomesOf(after, keysOf(invited), links) }
    },
    meta: { invalidates: ['users'], changesMore: true },
    onDone: ({ answer, asked, after, outcomes }) => {
      setAbove((keys) => new Set([...keys, ...keysOf(wrongOf(after))]))
      // If the server has found an error, it has invited nobody.
      const isDone = answer.errors.length === 0
      const existing = isDone ? asked.map(({ email }) => email) : answer.existing
      setAnswers((before) => withAnswer(before, asked, { ...answer, existing }))
      if (isDone) onInvited(outcomes)
    },
  })

  /** Only rows that have changed render, so the functions that other rows call may be older. */
  const review = people && {
    people,
    rows,
    /** The keys of rows that were invalid. They stay at the top even when corrected. */
    above,
    pending,
    // A transition, so that rendering many rows does not delay typed letters.
    onType: (key: string, person: Person): void =>
      startTransition(() => setCorrections((before) => ({ ...before, [key]: tidy(person) }))),
    /** Stores a correction and asks the server again. @param corrected null removes the row */
    onCorrect: (key: string, corrected: Person | null): void => {
      const person = corrected && tidy(corrected)
      setCorrections((before) => ({ ...before, [key]: person }))
      if (!person || problemOf(person) !== undefined) return
      preview([person])
        .then((answer) => setAnswers((before) => withAnswer(before, [person], answer)))
        .catch((error: unknown) => toast.error(errorMessage(error)))
    },
    onConfirm: () => {
      // A click during the exit animation must not confirm.
      if (dialog.open) onConfirm()
    },
    onRestore: () =>
      setCorrections(Object.fromEntries(Object.entries(corrections).filter(([, person]) => person !== null))),
    onBack: () => {
      setWrongLine(wrong[0]?.line)
      setPeople(undefined)
    },
  }
  return { show, result, review, onInvited, wrongLine }
}

/** What the table of people shows and does, before they are invited. */
export type Review = NonNullable<ReturnType<typeof useInvitation>['review']>

const keysOf = (rows: readonly PersonRow[]) => new Set(rows.map(({ key }) => key))

const personsOf = (rows: readonly PersonRow[]) => rows.map(({ person }) => person)

async function preview(rows: Person[]) {
  if (rows.length === 0) return { existing: [], errors: [] }
  return (await usersImportUsers({ body: { rows, dry_run: true } })).data
}

const outcomesOf = (
  rows: readonly PersonRow[],
  sent: ReadonlySet<string>,
  links: ReadonlyMap<string | undefined, string>,
): Invited[] =>
  rows.map(({ key, person, problem, hasAccount }) => {
    const taken = sent.has(key)
      ? 'Has an account by now. Resend Invitation gives a link to those who were invited.'
      : 'Has an account.'
    return { ...person, link: links.get(key), reason: problem ?? (hasAccount ? taken : undefined) }
  })

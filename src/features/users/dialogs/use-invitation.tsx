import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { usersImportUsers } from '@/client/sdk.gen'
import { useStay } from '@/components/dialog/shown-once'
import { useConfirm } from '@/components/form/use-confirm'
import type { PageDialogControl } from '@/components/use-dialog'
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

/** The corrections in the values of a form, as JSON, so that a draft keeps them. */
export interface KeptCorrections {
  read: () => string
  write: (text: string) => void
}

const nothing: Known = { accounts: new Set(), refused: new Map() }

/**
 * The flow of an invitation of several people: a table of what would happen, in which rows are corrected or taken out, and
 * what became of each.
 * @param kept is read and written only by presses and keys
 */
export function useInvitation(dialog: PageDialogControl, kept: KeptCorrections) {
  const [people, setPeople] = useState<People>()
  const [corrections, setCorrections] = useState<Corrections>({})
  const [known, setKnown] = useState(nothing)
  const [hasMail, setHasMail] = useState(true)
  const [above, setAbove] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [wrongLine, setWrongLine] = useState<number>()
  const { result, onClose, onInvited, forget } = useInvitedPeople(dialog)
  const rows = people ? toPersonRows(people.rows, corrections, known) : []
  const latest = useLatest({ people, corrections, known })

  /** Asks what would happen. @returns adds the answer to what is known by then */
  async function ask(asked: readonly Person[]): Promise<(before: Known) => Known> {
    if (asked.length === 0) return (before) => before
    const { data } = await usersImportUsers({ body: { rows: bodyOf(asked), dry_run: true } })
    setHasMail(!data.links)
    return (before) => withAnswer(before, asked, data)
  }

  /** Shows the table of what was read. */
  async function show(read: People): Promise<void> {
    const made = correctionsIn(kept.read())
    const unasked = toPersonRows(read.rows, made, nothing)
    const add = await ask(invitedOf(unasked))
    const found = add(nothing)
    setPeople(read)
    setCorrections(made)
    setKnown(found)
    setAbove(new Set(wrongOf(toPersonRows(read.rows, made, found)).map(({ key }) => key)))
    setOpened(new Set())
  }

  const [actions] = useState(() => {
    const write = (key: string, person: Person | null): Corrections => {
      const made = { ...correctionsIn(kept.read()), [key]: person }
      kept.write(JSON.stringify(made))
      return made
    }
    return {
      onType: (key: string, person: Person): void => {
        const made = write(key, tidy(person))
        // Many rows must not keep letters from appearing.
        startTransition(() => setCorrections(made))
      },
      onOpen: (key: string) => setOpened((keys) => new Set([...keys, key])),
      onCorrect: (key: string, person: Person | null): void => {
        const made = write(key, person && tidy(person))
        setCorrections(made)
        const row = toPersonRows(latest.current.people?.rows ?? [], made, nothing).find((one) => one.key === key)
        if (row?.problem !== undefined || !row) return
        ask([row])
          .then((add) => setKnown(add))
          .catch((error: unknown) => toast.error(errorMessage(error)))
      },
    }
  })

  const invited = invitedOf(rows)
  const { pending, onConfirm } = useConfirm({
    send: async () => (await usersImportUsers({ body: { rows: bodyOf(invited) } })).data,
    meta: { invalidates: ['users'], changesMore: true },
    onDone: (done) => {
      setKnown((before) => withAnswer(before, invited, done))
      const after = toPersonRows(people?.rows ?? [], corrections, withAnswer(latest.current.known, invited, done))
      setAbove(new Set([...above, ...wrongOf(after).map(({ key }) => key)]))
      // The server may have found errors meanwhile, and then has invited nobody.
      if (done.errors.length === 0) onInvited(outcomesOf(after, invited, done.links ?? null))
    },
  })
  const isWaiting = pending && !hasMail
  useStay(isWaiting, askToWait)

  /** Back to the table, where those who were invited have an account. */
  function correctOthers(): void {
    setKnown((before) => withAnswer(before, invited, { existing: invited.map((row) => row.email), errors: [] }))
    forget()
  }

  function restore(): void {
    const made = Object.fromEntries(Object.entries(corrections).filter(([, person]) => person !== null))
    kept.write(JSON.stringify(made))
    setCorrections(made)
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
        // It is still visible while it closes.
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
    /** For the dialog. */
    result: result?.(wrong.length > 0 ? { number: wrong.length, onCorrect: correctOthers } : undefined) ?? table,
    isPreview: result === undefined && !isWaiting,
    onClose: isWaiting ? askToWait : onClose,
    onInvited,
    /** To which Back leads. */
    wrongLine,
  }
}

function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value)
  useLayoutEffect(() => {
    ref.current = value
  })
  return ref
}

const wrongOf = (rows: readonly PersonRow[]) => rows.filter(({ problem }) => problem !== undefined)

const corrected = z.record(
  z.string(),
  z.nullable(z.object({ email: z.string(), full_name: z.nullable(z.string()), is_superuser: z.boolean() })),
)

/** @returns none for those of a damaged draft, or of another version */
function correctionsIn(text: string): Corrections {
  try {
    return text === '' ? {} : z.parse(corrected, JSON.parse(text))
  } catch {
    return {}
  }
}

function askToWait(): void {
  toast.error('Wait for the links.', 'They are not shown again.')
}

/** What became of all people of the table. */
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
    if (problem !== undefined) return { ...person, reason: `Not valid: ${problem}` }
    if (!hasAccount && links === null) return { ...person, link: null }
    return {
      ...person,
      reason: wasSent.has(key)
        ? 'Has an account by now. Resend Invitation gives a link to those who were invited.'
        : 'Has an account.',
    }
  })
}

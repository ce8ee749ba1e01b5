import { clsx } from 'clsx'
import { Check, Pencil, Undo2, X } from 'lucide-react'
import { type ComponentProps, Fragment, memo, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react'
import { takeFocus } from '@/browser/focus-heading'
import { DisappearingButton } from '@/components/buttons'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { useTypedNumber } from '@/components/dialog/typed-number'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button, IconButton } from '@/components/ui/button'
import { Input, Select } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import { NO_MAIL_SERVER, useHasMail } from '@/data/api/use-instance'
import { countText, numberText } from '@/lib/text'
import { invitedOf, type PersonRow, tidy, wrongOf } from '../people/people'
import type { People, Person } from '../people/read-people'
import type { Review } from './use-invitation'
import { superuserPowers, userLabels } from './user-form'

/** The number of rows that fill the dialog, which are rendered first. */
const FIRST_ROWS = 30

export function PeopleTable(props: Review & { note?: ReactNode }) {
  const { people, rows, above, pending, onConfirm, onRestore, onBack, note, ...actions } = props
  const hasMail = useHasMail()
  const limit = useDeferredValue(Infinity, FIRST_ROWS)
  const invited = invitedOf(rows)
  const superusers = invited.filter(({ person }) => person.is_superuser).length
  const { confirm, field } = useTypedNumber(superusers || undefined, onConfirm)
  // The order does not depend on corrections, so that no row moves while it is edited.
  const rank = ({ key, wasSuperuser }: PersonRow) => (above.has(key) ? 0 : wasSuperuser ? 1 : 2)
  const inOrder = rows.toSorted((one, other) => rank(one) - rank(other))
  const removed = people.rows.length - rows.length
  return (
    <>
      <DialogBody
        description={
          <output className="font-medium text-foreground">{summaryOf(rows, invited.length, superusers)}</output>
        }
      >
        {note}
        {people.columns && <ColumnsRead columns={people.columns} ignored={people.ignored} />}
        {!hasMail && invited.length > 0 && (
          <p className="mb-4">{`${NO_MAIL_SERVER} You get the links here, and give them to the people yourself.`}</p>
        )}
        <div className="@container">
          {/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- browsers may drop the roles of a table with another display */}
          <table role="table" aria-label="People" className="mb-4 block text-left">
            <thead role="rowgroup" className="block text-xs text-muted-foreground narrow:sr-only">
              <tr role="row" className={`${lineClass} border-b`}>
                {['Line', 'Full Name', 'Email', 'Role', 'Result', 'Actions'].map((heading) => (
                  <th key={heading} role="columnheader" scope="col" className="py-1 font-medium last:text-right">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup" className="block divide-y">
              {inOrder.slice(0, limit).map((row) => (
                <PersonLine key={row.key} row={row} isAbove={above.has(row.key)} {...actions} />
              ))}
            </tbody>
          </table>
          {/* oxlint-enable */}
        </div>
        {removed > 0 && (
          <p className="mb-4 flex items-center gap-2 text-muted-foreground">
            <span>{`${countText(removed, 'row')} taken out.`}</span>
            <DisappearingButton variant="ghost" size="compact" onClick={onRestore}>
              Put Back
            </DisappearingButton>
          </p>
        )}
        {superusers > 0 && (
          <Alert className="mb-4">
            {`${countText(superusers, 'person becomes a superuser', 'people become superusers')}. ${superuserPowers}`}
          </Alert>
        )}
        {field}
      </DialogBody>
      <DialogFooter>
        <Button ref={takeFocus} variant="secondary" onClick={onBack}>
          <Undo2 aria-hidden />
          Back
        </Button>
        <Button disabled={invited.length === 0} pending={pending} onClick={confirm}>
          {`Invite ${numberText(invited.length)}`}
        </Button>
      </DialogFooter>
    </>
  )
}

/** The colour of a row extends to both sides of its text. */
const lineClass =
  '-mx-2 px-2 grid items-center gap-x-3 roomy:grid-cols-[2rem_minmax(0,5fr)_minmax(0,8fr)_6.5rem_minmax(0,4fr)_5rem] narrow:grid-cols-[auto_minmax(0,1fr)_auto]'

interface PersonLineProps extends Pick<Review, 'onType' | 'onCorrect'> {
  row: PersonRow
  isAbove: boolean
}

/** With many rows, only changed ones render, and the browser skips those out of view. */
const PersonLine = memo(
  function PersonLine({ row, isAbove, onType, onCorrect }: PersonLineProps) {
    const { key, line, person, problem, canAccept, hasAccount } = row
    const [typed, setTyped] = useState(person)
    const name = person.email || person.full_name || `line ${line}`
    const id = useId()
    const [isOpened, setOpened] = useState(false)
    const isOpen = isAbove || isOpened
    const isTyped = useRef(false)

    function change(changes: Partial<Person>): Person {
      const next = { ...typed, ...changes }
      setTyped(next)
      return next
    }
    function commit(): void {
      if (!isTyped.current) return
      isTyped.current = false
      onCorrect(key, change(tidy(typed)))
    }
    const inputOf = (field: 'full_name' | 'email'): ComponentProps<typeof Input> => ({
      autoComplete: 'off',
      value: typed[field] ?? '',
      onChange: ({ target }) => {
        isTyped.current = true
        onType(key, change({ [field]: target.value }))
      },
      onBlur: commit,
      onKeyDown: ({ key: pressed }) => pressed === 'Enter' && commit(),
    })

    return (
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- as the table
      <tr
        role="row"
        className={clsx(
          lineClass,
          'py-1.5 [contain-intrinsic-size:auto_3rem] [content-visibility:auto]',
          person.is_superuser && 'bg-accent-tint',
        )}
      >
        <td
          role="cell"
          className="text-muted-foreground tabular-nums narrow:col-span-3 narrow:text-xs narrow:before:content-['Line_']"
        >
          <span>{line}</span>
        </td>
        <td role="cell" className="min-w-0 wrap-anywhere narrow:col-span-3">
          {isOpen ? (
            <Input
              {...inputOf('full_name')}
              ref={isOpened ? takeFocus : undefined}
              aria-label={`Full name, line ${line}`}
            />
          ) : (
            person.full_name !== null && <UserText>{person.full_name}</UserText>
          )}
        </td>
        <td role="cell" className="min-w-0 wrap-anywhere narrow:col-span-3 narrow:mt-1">
          {isOpen ? (
            <Input
              {...inputOf('email')}
              aria-label={`Email, line ${line}`}
              aria-invalid={problem !== undefined}
              aria-describedby={id}
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
            />
          ) : (
            <Address>{person.email}</Address>
          )}
        </td>
        <td role="cell" className={clsx('narrow:mt-1', isOpen && 'narrow:col-span-2')}>
          {isOpen ? (
            <Select
              aria-label={`Role, line ${line}`}
              value={typed.is_superuser ? 'superuser' : 'user'}
              onChange={({ target }) => onCorrect(key, change({ is_superuser: target.value === 'superuser' }))}
            >
              <option value="user">User</option>
              <option value="superuser">Superuser</option>
            </Select>
          ) : person.is_superuser ? (
            <Badge>Superuser</Badge>
          ) : (
            <span className="text-muted-foreground">User</span>
          )}
        </td>
        <td
          role="cell"
          id={id}
          className={clsx(
            'min-w-0 wrap-anywhere narrow:mt-1 tiny:order-last tiny:col-span-3',
            isOpen && 'narrow:order-last narrow:col-span-3',
            problem !== undefined && 'text-destructive',
            hasAccount && 'text-muted-foreground',
          )}
        >
          <span>{problem !== undefined ? problem : hasAccount ? 'Has an account' : 'Will be invited'}</span>
        </td>
        <td role="cell" className="flex justify-end">
          {isOpen ? (
            canAccept && (
              <IconButton
                label={`Accept ${name}`}
                onClick={({ currentTarget }) => {
                  currentTarget.closest('tr')?.querySelector<HTMLElement>('input')?.focus()
                  onCorrect(key, typed)
                }}
              >
                <Check aria-hidden />
              </IconButton>
            )
          ) : (
            <IconButton label={`Edit ${name}`} onClick={() => setOpened(true)}>
              <Pencil aria-hidden />
            </IconButton>
          )}
          <IconButton
            label={`Remove ${name}`}
            data-remove
            onClick={({ currentTarget }) => {
              // The row disappears, so the focus moves to the next one.
              const own = currentTarget.closest('tr')
              const next = own?.nextElementSibling ?? own?.previousElementSibling
              next?.querySelector<HTMLElement>('[data-remove]')?.focus()
              onCorrect(key, null)
            }}
          >
            <X aria-hidden />
          </IconButton>
        </td>
      </tr>
    )
  },
  (before, after) =>
    before.isAbove === after.isAbove &&
    (Object.keys(before.row) as (keyof PersonRow)[]).every((name) => before.row[name] === after.row[name]),
)

/** A long address breaks after its `@` first, and not at hyphens, but anywhere if it must. */
function Address({ children }: { children: string }) {
  const domain = children.lastIndexOf('@') + 1
  return (
    <bdi>
      <span className="inline-block max-w-full">{children.slice(0, domain)}</span>
      <span className="inline-block max-w-full">{children.slice(domain)}</span>
    </bdi>
  )
}

/** Such as `180 invitations, 2 of them to superusers, 12 already have an account, 3 rows are not valid`. */
function summaryOf(rows: readonly PersonRow[], invited: number, superusers: number): string {
  const existing = rows.filter(({ hasAccount }) => hasAccount).length
  const wrong = wrongOf(rows).length
  return [
    countText(invited, 'invitation'),
    superusers > 0 && countText(superusers, 'of them to a superuser', 'of them to superusers'),
    existing > 0 && `${countText(existing, 'already has', 'already have')} an account`,
    wrong > 0 && `${countText(wrong, 'row is', 'rows are')} not valid`,
  ]
    .filter(Boolean)
    .join(', ')
}

function ColumnsRead({ columns, ignored }: { columns: NonNullable<People['columns']>; ignored: readonly string[] }) {
  const fields = (['email', 'full_name', 'is_superuser'] as const).filter((field) => columns[field] !== undefined)
  return (
    <dl aria-label="Columns" className="mb-4 grid grid-cols-[auto_1fr] gap-x-4">
      {fields.map((field) => (
        <Fragment key={field}>
          <dt className="text-muted-foreground">{userLabels[field]}</dt>
          <dd>
            from <UserText>{columns[field] ?? ''}</UserText>
          </dd>
        </Fragment>
      ))}
      {ignored.length > 0 && (
        <>
          <dt className="text-muted-foreground">Ignored</dt>
          <dd>
            <UserText>{ignored.join(', ')}</UserText>
          </dd>
        </>
      )}
    </dl>
  )
}

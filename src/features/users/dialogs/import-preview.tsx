import { Fragment, useLayoutEffect, useRef } from 'react'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { useTypedNumber } from '@/components/dialog/typed-number'
import { textLink } from '@/components/ui/classes'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { countText } from '@/lib/range-text'
import { invitedOf, type Outcome } from './outcomes'
import type { People } from './read-people'
import { powers } from './superusers'
import { userLabels } from './user-form'

interface ImportPreviewProps {
  people: People
  outcomes: readonly Outcome[]
  hasMail: boolean
  pending: boolean
  onConfirm: () => void
  /** @param line to correct */
  onBack: (line?: number) => void
}

/** What an import would do: whom it makes a superuser, which rows are left out, and who has an account. */
export function ImportPreview({ people, outcomes, hasMail, pending, onConfirm, onBack }: ImportPreviewProps) {
  const back = useRef<HTMLButtonElement>(null)
  // Takes the focus of the removed button.
  useLayoutEffect(() => back.current?.focus(), [])
  const invited = invitedOf(outcomes)
  const superusers = invited.filter(({ is_superuser }) => is_superuser)
  const wrong = outcomes.filter(({ errors }) => errors.length > 0)
  const existing = outcomes.filter(({ hasAccount }) => hasAccount)
  const { confirm, field } = useTypedNumber(superusers.length || undefined, onConfirm)
  return (
    <>
      <DialogBody
        description={
          <output className="font-medium text-foreground">
            {summaryOf(invited.length, superusers.length, existing.length, wrong.length)}
          </output>
        }
      >
        <ColumnsRead {...people} />
        {!hasMail && invited.length > 0 && (
          <p className="mb-4">There is no mail server: the links are shown here afterwards, and you hand them out.</p>
        )}
        {wrong.length > 0 && (
          <>
            <p className="mb-2">
              {invited.length > 0 ? 'These rows are left out, unless you correct them:' : 'Correct these rows:'}
            </p>
            <WrongRows rows={wrong} onCorrect={onBack} />
          </>
        )}
        {existing.length > 0 && (
          <details className="mb-4 text-muted-foreground">
            <summary className="min-h-6">Already have an account and stay as they are</summary>
            <ul aria-label="Already have an account">
              {existing.map(({ line, email }) => (
                <li key={line}>
                  <UserText>{email}</UserText>
                </li>
              ))}
            </ul>
          </details>
        )}
        {superusers.length > 0 && (
          <div className="mb-4">
            <Alert>
              {countText(superusers.length, 'person becomes a superuser', 'people become superusers')}. {powers}
              <ul aria-label="New superusers" className="mt-2 font-medium">
                {superusers.map(({ line, full_name, email }) => (
                  <li key={line}>
                    <UserText>{full_name ? `${full_name}, ${email}` : email}</UserText>{' '}
                    <span className="font-normal whitespace-nowrap text-muted-foreground">line {line}</span>
                  </li>
                ))}
              </ul>
            </Alert>
          </div>
        )}
        {field}
      </DialogBody>
      <DialogFooter>
        <Button ref={back} variant="secondary" onClick={() => onBack(wrong[0]?.line)}>
          Back
        </Button>
        <Button disabled={invited.length === 0} pending={pending} onClick={confirm}>
          {labelOf(invited.length, wrong.length > 0)}
        </Button>
      </DialogFooter>
    </>
  )
}

function WrongRows({ rows, onCorrect }: { rows: readonly Outcome[]; onCorrect: (line: number) => void }) {
  return (
    <table aria-label="Rows with errors" className="mb-4 w-full table-fixed text-left align-top">
      <thead className="border-b text-muted-foreground">
        <tr>
          <th scope="col" className="w-13 py-1 font-medium">
            Line
          </th>
          <th scope="col" className="py-1 pr-3 font-medium">
            Value
          </th>
          <th scope="col" className="py-1 font-medium">
            Reason
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.flatMap(({ line, errors }) =>
          errors.map(({ column, value, reason }) => (
            <tr key={`${line} ${column} ${reason}`} className="align-top">
              <td className="py-1.5">
                <button
                  type="button"
                  aria-label={`Correct line ${line}`}
                  className={`min-w-6 ${textLink}`}
                  onClick={() => onCorrect(line)}
                >
                  {line}
                </button>
              </td>
              <td className="py-1.5 pr-3">
                {column !== null && (
                  <span className="block text-xs text-muted-foreground">
                    <UserText>{column}</UserText>
                  </span>
                )}
                <span className="line-clamp-3" title={value}>
                  {value === '' ? <span className="text-muted-foreground">Empty</span> : <UserText>{value}</UserText>}
                </span>
              </td>
              <td className="py-1.5 wrap-anywhere text-destructive">{reason}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}

/** `180 invitations, 2 of them to superusers, 12 already have an account, 3 rows with errors` */
function summaryOf(invited: number, superusers: number, existing: number, wrong: number): string {
  return [
    countText(invited, 'invitation'),
    superusers > 0 && countText(superusers, 'of them to a superuser', 'of them to superusers'),
    existing > 0 && `${countText(existing, 'already has', 'already have')} an account`,
    wrong > 0 && `${countText(wrong, 'row')} with errors`,
  ]
    .filter(Boolean)
    .join(', ')
}

function labelOf(invited: number, isPart: boolean): string {
  if (!isPart || invited === 0) return `Invite ${countText(invited, 'Person', 'People')}`
  return invited === 1 ? 'Invite the other' : `Invite the ${countText(invited, 'other')}`
}

/** Which columns of a table became what, and which are ignored. */
function ColumnsRead({ columns, ignored }: Pick<People, 'columns' | 'ignored'>) {
  const fields = (['email', 'full_name', 'is_superuser'] as const).flatMap((field) => {
    const heading = columns[field]
    return heading === undefined ? [] : [{ field, heading }]
  })
  return (
    <dl aria-label="Columns" className="mb-4 grid grid-cols-[auto_1fr] gap-x-4">
      {fields.map(({ field, heading }) => (
        <Fragment key={field}>
          <dt className="text-muted-foreground">{userLabels[field]}</dt>
          <dd>
            from <UserText>{heading}</UserText>
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

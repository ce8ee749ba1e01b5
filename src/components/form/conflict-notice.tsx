import { type MouseEventHandler, useEffect, useRef } from 'react'
import { fileIn } from '@/lib/file-text'
import { isDay, isInstant } from '@/lib/day-or-time'
import { dayText, timeText } from '@/lib/time-text'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { UserText } from '../ui/user-text'

export interface ConflictView {
  /** The labels and the server's values of fields that were changed elsewhere; `null` if the resource was deleted. */
  fields: readonly (readonly [label: string, value: unknown])[] | null
  /** Whether to take the focus, because a save has failed. */
  hasFocus: boolean
}

interface ConflictNoticeProps extends ConflictView {
  subject: string
  pending: boolean
  onKeep: MouseEventHandler
  onTake: () => void
}

export function ConflictNotice({ subject, fields, hasFocus, pending, onKeep, onTake }: ConflictNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  // Focusing also scrolls to the notice.
  useEffect(() => {
    if (hasFocus) notice.current?.focus()
  }, [hasFocus])
  return (
    <Alert ref={notice} role="alert" tabIndex={-1} className="mb-4">
      {fields === null ? (
        <p>{subject} was deleted in the meantime. What you typed is still here, but cannot be saved any more.</p>
      ) : (
        <>
          <strong className="block">Changed meanwhile</strong>
          <p>{subject} was changed elsewhere in the meantime, so your changes are not saved yet. What is saved now:</p>
          <dl
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must scroll a long text
            tabIndex={0}
            className="my-2 max-h-40 overflow-y-auto"
          >
            {fields.map(([label, value]) => (
              <div key={label} className="mb-1">
                <dt className="font-semibold">{label}</dt>
                <dd className="wrap-anywhere whitespace-pre-wrap">
                  <UserText>{textOf(value)}</UserText>
                </dd>
              </div>
            ))}
          </dl>
          <div className="flex flex-wrap gap-2">
            <Button pending={pending} onClick={onKeep}>
              Save my changes
            </Button>
            <Button variant="secondary" disabled={pending} onClick={onTake}>
              Use the saved version
            </Button>
          </div>
        </>
      )}
    </Alert>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' && isInstant(value)) return timeText(value)
  if (typeof value === 'string' && isDay(value)) return dayText(value)
  return value === '' ? 'N/A' : (fileIn(value)?.name ?? String(value))
}

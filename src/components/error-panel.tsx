import { useEffect, useEffectEvent, useState } from 'react'
import { errorDetails, failureReason, isTransient, requestIdNote } from '@/data/api/errors'
import { findHeading, focusComingHeading } from '@/browser/focus-heading'
import { Button } from './ui/button'
import { keepFocus } from './buttons'

const RETRY_AFTER_MS = 15_000

export function ErrorPanel(props: { error: unknown; isPart?: boolean; pending?: boolean; onRetry: () => void }) {
  const { error, isPart = false, pending = false, onRetry } = props
  const [shown, setShown] = useState(false)
  const Heading = isPart ? 'h2' : 'h1'
  const reason = failureReason(error) ?? `This ${isPart ? 'part of the ' : ''}page could not be shown.`
  const request = requestIdNote(error)
  const triesAgain = !shown && isTransient(error)

  /** Moves the focus to the next heading, because the button disappears. */
  function retry(isPressed: boolean): void {
    if (!isPart && (isPressed || document.activeElement?.closest('[data-error-panel]')))
      focusComingHeading(findHeading())
    onRetry()
  }

  const retryByItself = useEffectEvent(() => retry(false))

  useEffect(() => {
    // The panel must not disappear while the user reads the details.
    if (shown || pending || !isTransient(error)) return
    const timer = setTimeout(() => retryByItself(), RETRY_AFTER_MS)
    return () => clearTimeout(timer)
  }, [error, pending, shown])
  return (
    <div ref={keepFocus} data-error-panel role="alert" className="rounded-lg border border-destructive p-6">
      <Heading tabIndex={-1} className="text-lg font-semibold">
        Something went wrong!
      </Heading>
      <p className="mt-1 text-muted-foreground">
        {triesAgain ? `${reason} Retrying every ${RETRY_AFTER_MS / 1000} seconds.` : reason}
      </p>
      {request !== undefined && <p className="mt-1 text-sm break-words text-muted-foreground">{request}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button pending={pending} onClick={() => retry(true)}>
          Try again
        </Button>
        <Button variant="secondary" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide Error' : 'Show Error'}
        </Button>
      </div>
      {shown && (
        <pre className="mt-4 rounded-md bg-muted p-3 text-xs break-words whitespace-pre-wrap">
          {errorDetails(error).map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they do not move
            <span key={index} className="block">
              {line}
            </span>
          ))}
        </pre>
      )}
    </div>
  )
}

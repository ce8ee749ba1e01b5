import { useState } from 'react'
import { findHeading, focusComingHeading } from '@/lib/focus-heading'
import { Button } from './ui/button'

/** Stands in the place of a page that could not be shown (SPEC 8). */
export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [shown, setShown] = useState(false)

  /** The panel goes, and the button with it: the focus waits for what comes in its place. */
  function retry(): void {
    focusComingHeading(findHeading())
    onRetry()
  }

  return (
    <div role="alert" className="rounded-lg border border-destructive p-6">
      <h1 tabIndex={-1} className="text-lg font-semibold">
        Something went wrong!
      </h1>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={retry}>Try again</Button>
        <Button variant="secondary" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide Error' : 'Show Error'}
        </Button>
      </div>
      {shown && (
        <pre className="mt-4 rounded-md bg-muted p-3 text-xs break-words whitespace-pre-wrap">
          {error instanceof Error ? error.message : String(error)}
        </pre>
      )}
    </div>
  )
}

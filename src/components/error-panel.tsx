import { useState } from 'react'
import { Button } from './ui/button'

/** Stands in the place of a page that could not be shown (SPEC 8). */
export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [shown, setShown] = useState(false)
  return (
    <div role="alert" className="rounded-lg border border-destructive p-6">
      <h2 className="text-lg font-semibold">Something went wrong!</h2>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={onRetry}>Try again</Button>
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

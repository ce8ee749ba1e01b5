import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { useCurrentUser } from '@/data/api/current-user'
import { discardDraft, type Draft, readDraft, restoreDraft } from '@/data/drafts'
import { focusHeading } from '@/lib/focus-heading'
import { contentClass } from './shell-skeleton'

/** Offers to restore the draft of a form whose session expired, if it is of the same user. */
export function DraftNotice() {
  const { id } = useCurrentUser()
  const router = useRouter()
  const [draft, setDraft] = useState(() => readDraft(id))
  if (!draft) return null
  const restore = async (kept: Draft): Promise<void> => {
    setDraft(null)
    if (!(await restoreDraft(kept, router))) setDraft(kept)
  }
  return (
    <section aria-label="Kept text" className="border-b bg-muted">
      <div className={clsx(contentClass, 'flex flex-wrap items-center justify-between gap-3 py-2')}>
        <p>Your last session ended before “{draft.title}” was saved. What you typed was kept, without passwords.</p>
        <div className="flex gap-2">
          <Button onClick={() => void restore(draft)}>Restore</Button>
          <Button
            variant="secondary"
            onClick={() => {
              discardDraft()
              setDraft(null)
              focusHeading()
            }}
          >
            Discard
          </Button>
        </div>
      </div>
    </section>
  )
}

import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useCurrentUser } from '@/data/api/current-user'
import { discardDraft, type Draft, readDraft, restoreDraft } from '@/data/drafts'
import { focusHeading } from '@/browser/focus-heading'
import { contentClass } from './shell-skeleton'

export function DraftNotice() {
  const { id } = useCurrentUser()
  const router = useRouter()
  const [found] = useState(() => readDraft(id))
  const isAtForm = found?.isReturning === true && found.href === router.state.location.href
  const [draft, setDraft] = useState(isAtForm ? null : found)
  const restore = (kept: Draft): void =>
    void restoreDraft(kept, router).then((isTaken) => setDraft(isTaken ? null : kept))
  const begin = useEffectEvent(() => {
    if (found && isAtForm) restore(found)
  })
  useEffect(() => begin(), [])
  if (!draft) return null
  return (
    <section aria-label="Unsaved changes" className="border-b bg-muted">
      <div className={clsx(contentClass, 'flex flex-wrap items-center justify-between gap-3 py-2')}>
        <p>
          {draft.isReturning
            ? `“${draft.title}” is not saved yet. What you typed was kept, without passwords.`
            : `Your last session ended before “${draft.title}” was saved. What you typed was kept, without passwords.`}
        </p>
        <div className="flex gap-2">
          <Button
            onClick={() => {
              setDraft(null)
              restore(draft)
            }}
          >
            Restore
          </Button>
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

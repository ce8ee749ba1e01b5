import { onlineManager } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { usersSendEmailConfirmation } from '@/client/sdk.gen'
import { RequestButton } from '@/components/buttons'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'
import { discardDraft, type Draft, readDraft, restoreDraft } from '@/data/drafts'
import { focusHeading } from '@/browser/focus-heading'
import { contentClass } from './shell-skeleton'

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  )
  return (
    <p aria-live="polite" className="ml-auto shrink-0">
      {!isOnline && (
        <span className="inline-flex items-center gap-2 rounded-md bg-destructive-tint px-2.5 py-1 font-medium text-destructive">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          You are offline.
        </span>
      )}
    </p>
  )
}

/** A line above the page. */
function Notice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="border-b bg-muted">
      <div className={clsx(contentClass, 'flex flex-wrap items-center justify-between gap-3 py-2')}>{children}</div>
    </section>
  )
}

export function AddressNotice() {
  const { email, email_confirmed_at, pending_email } = useCurrentUser()
  const address = pending_email ?? email
  const [sentTo, setSentTo] = useState<string>()
  if (email_confirmed_at !== null) return null
  return (
    <Notice label="Unconfirmed address">
      <output>
        <span>{sentTo === address ? 'We sent a link to ' : 'Confirm your address: '}</span>
        <UserText>{address}</UserText>
        <span>.</span>
      </output>
      <RequestButton send={() => usersSendEmailConfirmation()} meta={{}} onDone={() => setSentTo(address)}>
        {sentTo === address ? 'Send Again' : 'Send Link'}
      </RequestButton>
    </Notice>
  )
}

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
    <Notice label="Unsaved changes">
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
    </Notice>
  )
}

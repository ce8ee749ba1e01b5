import { useLayoutEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { Input } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import { countText } from '@/lib/range-text'
import { copyLink } from './invitation-link'

export interface Invited {
  address: string
  /** Null if it was mailed. */
  link?: string | null
  /** Why this person was not invited. */
  reason?: string
}

/** What became of several invitations, with the links to hand over if there is no mail server. */
export function InvitationList({ invited, onClose }: { invited: readonly Invited[]; onClose: () => void }) {
  const done = useRef<HTMLButtonElement>(null)
  // Takes the focus of the removed button.
  useLayoutEffect(() => done.current?.focus(), [])
  const sent = invited.filter(({ reason }) => reason === undefined)
  const hasLinks = sent.some(({ link }) => typeof link === 'string')
  const people = countText(sent.length, 'person', 'people')
  return (
    <>
      <DialogBody
        description={
          hasLinks
            ? `This server sends no mail. ${people} invited: give each the link yourself. It works once, for 7 days.`
            : `${people} invited.`
        }
      >
        <ul aria-label="Invitations" className="mb-4 divide-y">
          {invited.map((one) => (
            <InvitedPerson key={one.address} {...one} />
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button ref={done} onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </>
  )
}

function InvitedPerson({ address, link, reason }: Invited) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <li className="py-2">
      <UserText>{address}</UserText>
      {reason !== undefined && <p className="text-destructive">Not invited: {reason}</p>}
      {reason === undefined && typeof link !== 'string' && <p className="text-muted-foreground">Invitation sent</p>}
      {typeof link === 'string' && (
        <div className="mt-1 flex gap-2">
          <Input ref={input} readOnly aria-label={`Invitation link for ${address}`} value={link} />
          <Button
            variant="secondary"
            aria-label={`Copy the link for ${address}`}
            onClick={() => void copyLink(link, input.current)}
          >
            Copy
          </Button>
        </div>
      )}
    </li>
  )
}

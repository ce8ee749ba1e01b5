import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Invitation } from '@/client/types.gen'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { Input } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/use-dialog'
import { copyText } from '@/lib/copy-text'
import { isolate } from '@/lib/isolate'
import { toast } from '@/lib/toast'

/**
 * Reports a sent invitation or, without a mail server, shows the link to hand over.
 * @returns `result` for the dialog
 */
export function useInvitation({ isCurrent, onDone, onClose }: PageDialogControl) {
  const [result, setResult] = useState<ReactNode>()
  return {
    result,
    onInvited: ({ user, link }: Invitation) => {
      if (link === null) {
        toast.success('Invitation sent.')
        onDone()
      } else if (isCurrent()) setResult(<InvitationLink email={user.email} link={link} onClose={onClose} />)
      else
        toast.error(
          `The link for ${isolate(user.email)} was not shown, because the dialog was closed.`,
          'Resend Invitation gives a new one.',
        )
    },
  }
}

/** Copies a link, or selects it where the browser allows no copying. */
export async function copyLink(link: string, input: HTMLInputElement | null): Promise<void> {
  if (!(await copyText(link, 'Link copied.'))) input?.select()
}

interface InvitationLinkProps {
  email: string
  link: string
  onClose: () => void
}

function InvitationLink({ email, link, onClose }: InvitationLinkProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Takes the focus of the removed button.
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  return (
    <>
      <DialogBody
        description={
          <>
            This server sends no mail. Give this link to <UserText>{email}</UserText> yourself: it works once, for 7
            days.
          </>
        }
      >
        <label htmlFor={id} className="mb-1.5 block font-medium">
          Invitation link
        </label>
        <Input ref={input} id={id} readOnly value={link} className="mb-4" />
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => void copyLink(link, input.current)}>Copy Link</Button>
      </DialogFooter>
    </>
  )
}

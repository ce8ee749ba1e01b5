import { useState } from 'react'
import { usersSendEmailConfirmation } from '@/client/sdk.gen'
import { useConfirm } from '@/components/form/use-confirm'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'

export function AddressNotice() {
  const { email, email_confirmed_at, pending_email } = useCurrentUser()
  const address = pending_email ?? email
  const [sentTo, setSentTo] = useState<string>()
  const send = useConfirm({
    send: () => usersSendEmailConfirmation(),
    meta: {},
    onDone: () => setSentTo(address),
  })
  if (email_confirmed_at !== null) return null
  return (
    <section
      aria-label="Unconfirmed address"
      className="flex flex-wrap items-center justify-between gap-3 border-b bg-muted px-4 py-2"
    >
      <output>
        <span>{sentTo === address ? 'We sent a link to ' : 'Confirm your address: '}</span>
        <UserText>{address}</UserText>
        <span>.</span>
      </output>
      <Button variant="secondary" pending={send.pending} onClick={send.onConfirm}>
        {sentTo === address ? 'Send Again' : 'Send Link'}
      </Button>
    </section>
  )
}

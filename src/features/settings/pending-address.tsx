import { usersForgetPendingEmail, usersSendEmailConfirmation } from '@/client/sdk.gen'
import { DisappearingButton } from '@/components/disappearing-button'
import { useConfirm } from '@/components/form/use-confirm'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { currentUserOptions } from '@/data/api/current-user'
import { useQueryClient } from '@tanstack/react-query'

export function PendingAddress({ address }: { address: string }) {
  const queryClient = useQueryClient()
  const send = useConfirm({
    send: () => usersSendEmailConfirmation(),
    meta: { success: `We sent a link to ${address}.` },
  })
  const forget = useConfirm({
    send: () => usersForgetPendingEmail(),
    meta: { success: 'Your address does not change.', invalidates: ['users'] },
    onDone: () => queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey }),
  })
  return (
    <section aria-label="Pending address" className="-mt-2 mb-4 rounded-lg border bg-muted px-4 py-3">
      <p>
        <UserText>{address}</UserText> <span>replaces it when you use the link in the mail to that address.</span>
      </p>
      <div className="mt-2 flex gap-2">
        <Button variant="secondary" size="compact" pending={send.pending} onClick={send.onConfirm}>
          Send Again
        </Button>
        <DisappearingButton variant="ghost" size="compact" pending={forget.pending} onClick={forget.onConfirm}>
          Forget
        </DisappearingButton>
      </div>
    </section>
  )
}

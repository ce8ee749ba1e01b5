import { usersResendInvitation } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import type { PageDialogControl } from '@/components/use-dialog'
import { useConfirmed } from '@/components/form/use-confirmed'
import { UserText } from '@/components/ui/user-text'
import { useInvitation } from './invitation-link'

export function ResendInvitationDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const { result, onInvited } = useInvitation({ onDone, ...control })
  const resend = useConfirmed({
    send: async () => (await usersResendInvitation({ path: { user_id: user.id } })).data,
    meta: { invalidates: ['users', 'audit'] },
    onSuccess: onInvited,
  })
  return (
    <ConfirmDialog
      {...control}
      {...resend}
      title="Resend Invitation"
      description={
        <>
          <UserText>{user.email}</UserText> gets a new link. The one before it stops working.
        </>
      }
      action="Send Invitation"
      variant="primary"
      result={result}
    />
  )
}

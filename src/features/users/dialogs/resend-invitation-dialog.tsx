import { usersResendInvitation } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import type { PageDialogControl } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'
import { useInvitedPeople } from './invited-people'
import { asSuperuser } from './superusers'

export function ResendInvitationDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const { result, onClose, onInvited } = useInvitedPeople({ onDone, ...control })
  return (
    <Confirm
      {...control}
      onClose={onClose}
      title="Resend Invitation"
      description={
        <>
          <UserText>{user.email}</UserText> gets a new link. The one before it stops working.{' '}
          {user.is_superuser && asSuperuser}
        </>
      }
      action="Send Invitation"
      variant="primary"
      send={async () => (await usersResendInvitation({ path: { user_id: user.id } })).data}
      meta={{ invalidates: ['users'] }}
      onDone={({ link }) => onInvited([{ address: user.email, name: user.full_name, link }])}
      result={result?.()}
    />
  )
}

import { usersResendInvitation } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import type { PageDialogControl } from '@/components/page-dialogs'
import { UserText } from '@/components/ui/user-text'
import { useHasMail } from '@/data/api/use-instance'
import { NO_MAIL_SERVER } from '@/lib/no-mail-server'
import { useInvitedPeople } from './invited-people'
import { asSuperuser } from './superusers'

export function ResendInvitationDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const { result, onInvited } = useInvitedPeople({ onDone, ...control })
  const note = useHasMail() ? '' : ` ${NO_MAIL_SERVER} You get the link, and give it to them yourself.`
  return (
    <Confirm
      {...control}
      title="Resend Invitation"
      description={
        <>
          <UserText>{user.email}</UserText> <span>{`gets a new link. The one before it stops working.${note}`}</span>{' '}
          {user.is_superuser && asSuperuser}
        </>
      }
      action="Send Invitation"
      variant="primary"
      send={async () => (await usersResendInvitation({ path: { user_id: user.id } })).data}
      meta={{ invalidates: ['users'], changesMore: true }}
      onDone={({ link }) => onInvited([{ address: user.email, name: user.full_name, link }])}
      result={result?.()}
    />
  )
}

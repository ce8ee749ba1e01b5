import { usersSendPasswordReset } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import type { PageDialogControl } from '@/components/page-dialogs'
import { useHasMail } from '@/data/api/use-instance'
import { toast } from '@/browser/toast'
import { NO_MAIL_SERVER } from '@/lib/no-mail-server'
import { whoIs } from '../who-is'
import { passwordReset, useInvitedPeople } from './invited-people'

export function SendPasswordResetDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const hasMail = useHasMail()
  const { result, onInvited } = useInvitedPeople({ onDone, ...control }, passwordReset)
  const sends = hasMail
    ? 'A link to choose a new password is sent to this address.'
    : `${NO_MAIL_SERVER} You get a link to choose a new password, and give it to this person yourself.`
  return (
    <Confirm
      {...control}
      title="Send Password Reset"
      subject={whoIs(user)}
      description={`${sends} The current password works until the link is used.`}
      action={hasMail ? 'Send Password Reset' : 'Get Link'}
      variant="primary"
      send={async () => (await usersSendPasswordReset({ path: { user_id: user.id } })).data}
      meta={{ invalidates: [] }}
      onDone={({ message, link }) => {
        if (typeof link === 'string') return onInvited([{ address: user.email, link }])
        toast.success(`${message}.`)
        return onDone()
      }}
      result={result?.()}
    />
  )
}

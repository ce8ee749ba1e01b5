import { useQuery } from '@tanstack/react-query'
import { usersReadSecondFactorOptions } from '@/client/@tanstack/react-query.gen'
import { usersResetSecondFactor } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import { useConfirmed } from '@/components/form/use-confirmed'
import type { PageDialogControl } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'

export function ResetSecondFactorDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const path = { user_id: user.id }
  const { data } = useQuery(usersReadSecondFactorOptions({ path }))
  const reset = useConfirmed({
    send: () => usersResetSecondFactor({ path }),
    meta: { success: 'The second factor was reset.', invalidates: ['users'] },
    onSuccess: onDone,
  })
  return (
    <ConfirmDialog
      {...control}
      {...reset}
      title="Reset Second Factor"
      description={
        <>
          The authenticator app, the recovery codes and all passkeys of <UserText>{user.email}</UserText> are removed,
          and all sessions end. From then on the password alone is enough to log in
          <span>{data?.required ? ', and to set up a new authenticator app, which this server asks for' : ''}</span>.
          Make sure that the right person has asked for this.
        </>
      }
      action="Reset Second Factor"
    />
  )
}

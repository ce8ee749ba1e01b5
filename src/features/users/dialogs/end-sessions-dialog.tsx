import { usersEndSessions } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound, useConfirmed } from '@/components/form/use-confirmed'
import type { PageDialogControl } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'

export function EndSessionsDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const end = useConfirmed({
    send: () => ignoreNotFound(usersEndSessions({ path: { user_id: user.id } })),
    meta: { success: 'All sessions were ended.', invalidates: ['users'] },
    onSuccess: onDone,
  })
  return (
    <ConfirmDialog
      {...control}
      {...end}
      title="End All Sessions"
      description={
        <>
          <UserText>{user.email}</UserText> is logged out everywhere and has to log in again. What they have not saved
          may be lost.
        </>
      }
      action="End All Sessions"
    />
  )
}

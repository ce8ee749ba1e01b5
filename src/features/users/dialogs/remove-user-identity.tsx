import { usersDeleteIdentity } from '@/client/sdk.gen'
import type { IdentityPublic, UserPublic } from '@/client/types.gen'
import type { EntryDialogProps } from '@/components/dialog/entry-dialog'
import { RemoveIdentity } from '@/components/dialog/remove-identity'
import { UserText } from '@/components/ui/user-text'

interface RemoveUserIdentityProps extends EntryDialogProps<IdentityPublic> {
  user: UserPublic
}

export function RemoveUserIdentity({ user, ...props }: RemoveUserIdentityProps) {
  return (
    <RemoveIdentity
      {...props}
      description={
        <>
          <UserText>{user.email}</UserText> can no longer log in with this account. Sessions stay.
        </>
      }
      send={() => usersDeleteIdentity({ path: { user_id: user.id, identity_id: props.id } })}
    />
  )
}

import { usersDeleteIdentity } from '@/client/sdk.gen'
import type { IdentityPublic, UserPublic } from '@/client/types.gen'
import { RemoveIdentity } from '@/components/dialog/remove-identity'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/use-dialog'

interface RemoveUserIdentityProps {
  user: UserPublic
  id: string
  identities: readonly IdentityPublic[]
  control: PageDialogControl
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

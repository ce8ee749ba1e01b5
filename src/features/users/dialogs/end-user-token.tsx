import { usersEndToken } from '@/client/sdk.gen'
import type { ApiTokenPublic, UserPublic } from '@/client/types.gen'
import { EndToken } from '@/components/dialog/end-token'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/use-dialog'

interface EndUserTokenProps {
  user: UserPublic
  id: string
  tokens: readonly ApiTokenPublic[]
  control: PageDialogControl
}

export function EndUserToken({ user, ...props }: EndUserTokenProps) {
  return (
    <EndToken
      {...props}
      description={
        <>
          Programs that use it can no longer act as <UserText>{user.email}</UserText>. This action cannot be undone.
        </>
      }
      send={() => usersEndToken({ path: { user_id: user.id, token_id: props.id } })}
    />
  )
}

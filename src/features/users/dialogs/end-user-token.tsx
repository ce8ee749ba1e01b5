import { usersEndToken } from '@/client/sdk.gen'
import type { ApiTokenPublic, UserPublic } from '@/client/types.gen'
import { EndToken } from '@/components/dialog/end-token'
import type { EntryDialogProps } from '@/components/dialog/entry-dialog'
import { UserText } from '@/components/ui/user-text'

interface EndUserTokenProps extends EntryDialogProps<ApiTokenPublic> {
  user: UserPublic
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

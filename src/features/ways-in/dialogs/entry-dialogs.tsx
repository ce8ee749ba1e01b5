import { usersDeleteIdentity, usersDeleteOwnIdentity, usersEndOwnToken, usersEndToken } from '@/client/sdk.gen'
import type { ApiTokenPublic, IdentityPublic } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { EntryDialog, type EntryDialogProps } from '@/components/dialog/entry-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { UserText } from '@/components/ui/user-text'
import type { Owner } from '../ways-section'
import { identityName } from '../words'

interface Props<Entry> extends EntryDialogProps<Entry> {
  owner: Owner
}

export function EndTokenDialog({ owner, ...props }: Props<ApiTokenPublic>) {
  const { id: token_id } = props
  return (
    <EntryDialog {...props} gone="This token is not there any more.">
      {({ name }) => (
        <Confirm
          {...props.control}
          title="End Token"
          subject={name}
          description={
            owner === 'me' ? (
              'Programs that use it can no longer act as you. This action cannot be undone.'
            ) : (
              <>
                Programs that use it can no longer act as <UserText>{owner.email}</UserText>. This action cannot be
                undone.
              </>
            )
          }
          action="End Token"
          send={() =>
            ignoreNotFound(
              owner === 'me'
                ? usersEndOwnToken({ path: { token_id } })
                : usersEndToken({ path: { user_id: owner.id, token_id } }),
            )
          }
          meta={{ success: 'The token was ended.', invalidates: ['users'] }}
        />
      )}
    </EntryDialog>
  )
}

export function RemoveIdentityDialog({ owner, ...props }: Props<IdentityPublic>) {
  const { id: identity_id } = props
  return (
    <EntryDialog {...props} gone="This account is not connected any more.">
      {(identity) => (
        <Confirm
          {...props.control}
          title="Remove Connected Account"
          subject={identityName(identity)}
          description={
            owner === 'me' ? (
              'You can no longer log in with this account.'
            ) : (
              <>
                <UserText>{owner.email}</UserText> can no longer log in with this account. Sessions stay.
              </>
            )
          }
          action="Remove"
          send={() =>
            ignoreNotFound(
              owner === 'me'
                ? usersDeleteOwnIdentity({ path: { identity_id } })
                : usersDeleteIdentity({ path: { user_id: owner.id, identity_id } }),
            )
          }
          meta={{ success: 'The account is not connected any more.', invalidates: ['users'] }}
        />
      )}
    </EntryDialog>
  )
}

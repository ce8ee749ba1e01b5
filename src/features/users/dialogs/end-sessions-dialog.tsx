import { useState } from 'react'
import { usersEndSessions } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { LabelledCheckbox } from '@/components/ui/labelled-checkbox'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/page-dialogs'
import { useHasApiTokens } from '@/data/api/ways-in'

export function EndSessionsDialog({ user: { id, email }, ...control }: PageDialogControl & { user: UserPublic }) {
  const hasTokens = useHasApiTokens(id)
  const [endTokens, setEndTokens] = useState(false)
  return (
    <Confirm
      {...control}
      title="End All Sessions"
      description={
        <>
          <UserText>{email}</UserText> is logged out everywhere and has to log in again. What they have not saved may be
          lost.
        </>
      }
      choice={
        hasTokens && (
          <LabelledCheckbox
            label="Also revoke API tokens"
            checked={endTokens}
            onChange={({ target }) => setEndTokens(target.checked)}
          />
        )
      }
      action="End All Sessions"
      send={() =>
        ignoreNotFound(usersEndSessions({ path: { user_id: id }, ...(endTokens && { body: { end_tokens: true } }) }))
      }
      meta={{ success: 'All sessions were ended.', invalidates: ['users'] }}
    />
  )
}

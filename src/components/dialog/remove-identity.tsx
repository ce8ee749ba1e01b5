import type { ReactNode } from 'react'
import type { IdentityPublic } from '@/client/types.gen'
import { ignoreNotFound } from '../form/use-confirm'
import { nameOf } from '../identity-list'
import { Confirm } from './confirm-dialog'
import { EntryDialog, type EntryDialogProps } from './entry-dialog'

interface RemoveIdentityProps extends EntryDialogProps<IdentityPublic> {
  description: ReactNode
  send: () => Promise<unknown>
}

/** Asks before a company account is removed. */
export function RemoveIdentity({ description, send, ...props }: RemoveIdentityProps) {
  return (
    <EntryDialog {...props} gone="This account is not connected any more.">
      {(identity) => (
        <Confirm
          {...props.control}
          title="Remove Connected Account"
          subject={nameOf(identity)}
          description={description}
          action="Remove"
          send={() => ignoreNotFound(send())}
          meta={{ success: 'The account is not connected any more.', invalidates: ['users'] }}
        />
      )}
    </EntryDialog>
  )
}

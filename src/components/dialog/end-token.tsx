import type { ReactNode } from 'react'
import type { ApiTokenPublic } from '@/client/types.gen'
import { ignoreNotFound } from '../form/use-confirm'
import { Confirm } from './confirm-dialog'
import { EntryDialog, type EntryDialogProps } from './entry-dialog'

interface EndTokenProps extends EntryDialogProps<ApiTokenPublic> {
  description: ReactNode
  send: () => Promise<unknown>
}

/** Asks before an API token is ended. */
export function EndToken({ description, send, ...props }: EndTokenProps) {
  return (
    <EntryDialog {...props} gone="This token is not there any more.">
      {(token) => (
        <Confirm
          {...props.control}
          title="End Token"
          subject={token.name}
          description={description}
          action="End Token"
          send={() => ignoreNotFound(send())}
          meta={{ success: 'The token was ended.', invalidates: ['users'] }}
        />
      )}
    </EntryDialog>
  )
}

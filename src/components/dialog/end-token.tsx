import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { ApiTokenPublic } from '@/client/types.gen'
import { toast } from '@/data/toast'
import { ignoreNotFound } from '../form/use-confirm'
import type { PageDialogControl } from '../use-dialog'
import { Confirm } from './confirm-dialog'

interface EndTokenProps {
  /** Of the token. */
  id: string
  /** Those that are shown. */
  tokens: readonly ApiTokenPublic[]
  control: PageDialogControl
  description: ReactNode
  send: () => Promise<unknown>
}

/** Asks before an API token is ended. */
export function EndToken({ id, tokens, control, description, send }: EndTokenProps) {
  const token = tokens.find((one) => one.id === id)
  const isGone = control.open && token === undefined
  const close = useEffectEvent(() => {
    toast.error('This token is not there any more.')
    control.onClose()
  })
  useEffect(() => {
    if (isGone) close()
  }, [isGone])
  if (!token) return null
  return (
    <Confirm
      {...control}
      title="End Token"
      subject={token.name}
      description={description}
      action="End Token"
      send={() => ignoreNotFound(send())}
      meta={{ success: 'The token was ended.', invalidates: ['users'] }}
    />
  )
}

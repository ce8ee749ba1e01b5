import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { IdentityPublic } from '@/client/types.gen'
import { toast } from '@/data/toast'
import { ignoreNotFound } from '../form/use-confirm'
import { nameOf } from '../identity-list'
import type { PageDialogControl } from '../use-dialog'
import { Confirm } from './confirm-dialog'

interface RemoveIdentityProps {
  /** Of the identity. */
  id: string
  /** Those that are shown. */
  identities: readonly IdentityPublic[]
  control: PageDialogControl
  description: ReactNode
  send: () => Promise<unknown>
}

/** Asks before a company account is removed. */
export function RemoveIdentity({ id, identities, control, description, send }: RemoveIdentityProps) {
  const identity = identities.find((one) => one.id === id)
  const isGone = control.open && identity === undefined
  const close = useEffectEvent(() => {
    toast.error('This account is not connected any more.')
    control.onClose()
  })
  useEffect(() => {
    if (isGone) close()
  }, [isGone])
  if (!identity) return null
  return (
    <Confirm
      {...control}
      title="Remove Connected Account"
      subject={nameOf(identity)}
      description={description}
      action="Remove"
      send={() => ignoreNotFound(send())}
      meta={{ success: 'The account is not connected any more.', invalidates: ['users'] }}
    />
  )
}

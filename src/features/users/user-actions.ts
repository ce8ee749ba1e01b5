import { KeyRound, LogOut, Send, ShieldMinus, ShieldPlus, UserCheck, UserX } from 'lucide-react'
import type { UserPublic } from '@/client/types.gen'
import { type Action, deletion } from '@/components/list/list-actions'
import type { UserChange } from './dialogs/bulk-users-dialog'

const resend = { kind: 'resend', label: 'Resend Invitation', icon: Send } as const
const reset = { kind: 'reset_password', label: 'Send Password Reset', icon: KeyRound, needs: 'administration' } as const
const activate = { kind: 'activate', label: 'Activate', icon: UserCheck } as const
const deactivate = { kind: 'deactivate', label: 'Deactivate', icon: UserX } as const
const makeSuperuser = { kind: 'make_superuser', label: 'Make Superuser', icon: ShieldPlus } as const
const removeSuperuser = { kind: 'remove_superuser', label: 'Remove Superuser', icon: ShieldMinus } as const

export const bulkActions = [
  activate,
  deactivate,
  makeSuperuser,
  removeSuperuser,
  { kind: 'end_sessions', label: 'Log Out Everywhere', icon: LogOut },
  deletion,
].map(({ kind, ...action }) => ({ ...action, kind: 'bulk' as const, id: kind }))

export function actionsFor(user: UserPublic): readonly Action<'resend' | 'reset_password' | UserChange>[] {
  const status = user.is_active ? deactivate : activate
  const role = user.is_superuser ? removeSuperuser : makeSuperuser
  if (user.is_invited) return [resend, status, role]
  return user.is_active ? [reset, status, role] : [status, role]
}

export const ownAccount = 'Your own account is changed in the settings.'

export const lockOf = ({ id }: UserPublic, ownId: string) => (id === ownId ? ownAccount : undefined)

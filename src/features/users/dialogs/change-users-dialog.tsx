import { usersBulkUsers, usersUpdateUser } from '@/client/sdk.gen'
import type { UserPublic, UserUpdate } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import type { PageDialogControl } from '@/components/use-dialog'
import { useConfirmed } from '@/components/form/use-confirmed'
import { isolate } from '@/lib/isolate'
import { countText } from '@/lib/range-text'
import { toast } from '@/lib/toast'

interface Change {
  title: string
  /** The effects for the users, shown before confirmation. */
  consequence: string
  body: UserUpdate
  /** The end of the success message, after the name or number of users. */
  done: [one: string, many: string]
  variant?: 'primary'
}

const changes = {
  activate: {
    title: 'Activate',
    consequence: 'They can log in again, with the password they had.',
    body: { is_active: true },
    done: ['is active now.', 'are active now.'],
    variant: 'primary',
  },
  deactivate: {
    title: 'Deactivate',
    consequence: 'They are logged out everywhere, and cannot log in until somebody activates them. Their items stay.',
    body: { is_active: false },
    done: ['is inactive now.', 'are inactive now.'],
    variant: 'primary',
  },
  make_superuser: {
    title: 'Make Superuser',
    consequence: 'They will see and change all users and all items. They are logged out and have to log in again.',
    body: { is_superuser: true },
    done: ['is a superuser now.', 'are superusers now.'],
    variant: 'primary',
  },
  remove_superuser: {
    title: 'Remove Superuser',
    consequence: 'They will only see and change their own items. They are logged out and have to log in again.',
    body: { is_superuser: false },
    done: ['is no superuser any more.', 'are no superusers any more.'],
  },
} satisfies Record<string, Change>

export type UserChange = keyof typeof changes

export function isUserChange(kind: string): kind is UserChange {
  return Object.hasOwn(changes, kind)
}

export function isRoleChange(kind: UserChange): boolean {
  return 'is_superuser' in changes[kind].body
}

interface ChangeUsersDialogProps extends PageDialogControl {
  kind: UserChange
  users: readonly UserPublic[]
}

/** Changes the status or the role of one user, or the status of several, with one request. */
export function ChangeUsersDialog({ kind, users, onDone, ...control }: ChangeUsersDialogProps) {
  const change: Change = changes[kind]
  const ids = users.map(({ id }) => id)
  const emails = users.map(({ email }) => email)
  const [email = ''] = emails
  const confirmed = useConfirmed({
    send: async () => {
      const [id = ''] = ids
      if (ids.length > 1) return (await usersBulkUsers({ body: { action: kind, ids } })).data.refused
      await usersUpdateUser({ path: { user_id: id }, body: change.body })
      return []
    },
    meta: { invalidates: ['users', 'audit'] },
    onSuccess: (refused) => {
      const done = ids.length - refused.length
      const name = ids.length > 1 ? countText(done, 'user') : isolate(email)
      const text = `${name} ${change.done[done === 1 ? 0 : 1]}`
      const [first] = refused
      if (!first) toast.success(text)
      else toast.error(text, `${countText(refused.length, 'user')} could not be changed. ${first.detail}`)
      onDone()
    },
  })
  return (
    <ConfirmDialog
      {...control}
      {...confirmed}
      title={ids.length > 1 ? `${change.title} ${countText(ids.length, 'user')}` : change.title}
      subject={emails}
      description={change.consequence}
      action={change.title}
      variant={change.variant ?? 'destructive'}
    />
  )
}

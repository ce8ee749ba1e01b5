import type { UserPublic } from '@/client/types.gen'
import { TimeAgo } from '@/components/time-ago'
import { Badge } from '@/components/ui/badge'
import { hasMixedScripts } from '@/lib/mixed-scripts'

export function RoleCell({ user }: { user: UserPublic }) {
  return <Badge variant={user.is_superuser ? 'default' : 'secondary'}>{user.is_superuser ? 'Superuser' : 'User'}</Badge>
}

export function StatusCell({ user: { is_active, is_invited } }: { user: UserPublic }) {
  if (!is_active) return <Badge variant="destructive">Inactive</Badge>
  return is_invited ? <Badge variant="secondary">Invited</Badge> : <Badge variant="success">Active</Badge>
}

export function LastActiveCell({ user: { last_active_at: time } }: { user: UserPublic }) {
  return time === null || time === undefined ? 'Never' : <TimeAgo time={time} />
}

export function EmailCell({ user: { email } }: { user: UserPublic }) {
  if (!hasMixedScripts(email)) return email
  return (
    <span
      className="flex flex-wrap items-center gap-x-2"
      title="Letters of several alphabets can imitate another address"
    >
      <span className="min-w-0">{email}</span>
      <Badge variant="outline">Mixed scripts</Badge>
    </span>
  )
}

import { clsx } from 'clsx'
import type { UserPublic } from '@/client/types.gen'
import { TimeAgo } from '@/components/time'
import { Badge } from '@/components/ui/badge'
import { hasMixedScripts } from '@/lib/mixed-scripts'

export function RoleCell({ user }: { user: UserPublic }) {
  return user.is_superuser ? <Badge>Superuser</Badge> : <Badge variant="secondary">User</Badge>
}

export function StatusCell({ user }: { user: UserPublic }) {
  const { is_active, is_invited, mail_refused_at } = user
  const [text, variant] = !is_active
    ? (['Inactive', 'destructive'] as const)
    : is_invited
      ? (['Invited', 'secondary'] as const)
      : (['Active', 'success'] as const)
  const badge = <Badge variant={variant}>{text}</Badge>
  if (!is_invited || !mail_refused_at) return badge
  return (
    <span className="flex flex-wrap gap-1">
      {badge}
      <NotDelivered user={user} />
    </span>
  )
}

/** Shown if the mail server has permanently refused the last mail to the user. */
export function NotDelivered({ user: { mail_refused_at: time } }: { user: UserPublic }) {
  return time && <Badge variant="outline">Not delivered</Badge>
}

export function LastActiveCell({ user: { last_active_at: time } }: { user: UserPublic }) {
  return time ? <TimeAgo time={time} /> : <span>Never active</span>
}

const inTable = 'in-[td]:block in-[td]:truncate'

export function EmailCell({ user: { email } }: { user: UserPublic }) {
  if (!hasMixedScripts(email))
    return (
      <span className={inTable} title={email}>
        {email}
      </span>
    )
  return (
    <span
      className="flex flex-wrap items-center gap-x-2"
      title="Letters of several alphabets can imitate another address"
    >
      <span className={clsx('min-w-0', inTable)}>{email}</span>
      <Badge variant="outline">Mixed scripts</Badge>
    </span>
  )
}

import type { ReactNode } from 'react'
import type { IdentityPublic } from '@/client/types.gen'
import { TimeAgo } from './time-ago'
import { UserText } from './ui/user-text'

interface IdentityListProps {
  identities: readonly IdentityPublic[]
  action?: (identity: IdentityPublic) => ReactNode
}

/** The company accounts with which somebody logs in. */
export function IdentityList({ identities, action }: IdentityListProps) {
  if (identities.length === 0) return <p className="text-muted-foreground">No account is connected.</p>
  return (
    <ul aria-label="Connected accounts" className="divide-y border-y">
      {identities.map((identity) => (
        <li key={identity.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">
              <UserText>{nameOf(identity)}</UserText>
            </p>
            <p className="wrap-anywhere text-muted-foreground">
              {identity.email !== null && <span>{`${placeOf(identity)} · `}</span>}
              Connected <TimeAgo time={identity.created_at} /> ·{' '}
              {identity.last_used_at === null ? (
                <span>Never used</span>
              ) : (
                <span>
                  Last used <TimeAgo time={identity.last_used_at} />
                </span>
              )}
            </p>
          </div>
          {action?.(identity)}
        </li>
      ))}
    </ul>
  )
}

/** The address that the provider named, or else the provider. */
export function nameOf(identity: IdentityPublic): string {
  return identity.email ?? placeOf(identity)
}

/** The provider, without `https://`. */
function placeOf({ issuer }: IdentityPublic): string {
  return issuer.replace(/^https?:\/\//, '')
}

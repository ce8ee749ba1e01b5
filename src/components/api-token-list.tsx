import type { ReactNode } from 'react'
import type { ApiTokenPublic } from '@/client/types.gen'
import { isExpired } from '@/data/api/api-tokens'
import { exactTime, timeUntil } from '@/data/time-ago'
import { TimeAgo } from './time-ago'
import { Badge } from './ui/badge'
import { UserText } from './ui/user-text'

/** What a token with a scope may. */
export const scopeText = (scope: string): string => (scope === 'read' ? 'Read' : 'Read and change')

interface ApiTokenListProps {
  tokens: readonly ApiTokenPublic[]
  action?: (token: ApiTokenPublic) => ReactNode
}

/** Tokens with when and from where they were used. */
export function ApiTokenList({ tokens, action }: ApiTokenListProps) {
  return (
    <ul aria-label="API tokens" className="divide-y border-y">
      {tokens.map((token) => (
        <li key={token.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
              <UserText>{token.name}</UserText>
              <Badge variant="outline">{scopeText(token.scope)}</Badge>
              {isExpired(token) && <Badge variant="secondary">Expired</Badge>}
            </p>
            <p className="wrap-anywhere text-muted-foreground">
              <Expiry token={token} /> · <LastUse token={token} />
            </p>
          </div>
          {action?.(token)}
        </li>
      ))}
    </ul>
  )
}

function Expiry({ token }: { token: ApiTokenPublic }) {
  const { expires_at } = token
  return isExpired(token) ? (
    <span>
      Expired <TimeAgo time={expires_at} />
    </span>
  ) : (
    <time dateTime={expires_at} title={exactTime(expires_at)} className="whitespace-nowrap">
      {`Expires ${timeUntil(expires_at)}`}
    </time>
  )
}

function LastUse({ token: { last_used_at, address } }: { token: ApiTokenPublic }) {
  if (last_used_at === null) return <span>Never used</span>
  return (
    <span>
      Last used <TimeAgo time={last_used_at} />
      <span>{address === null ? '' : ` from ${address}`}</span>
    </span>
  )
}

import { useQuery } from '@tanstack/react-query'
import { usersEndOwnToken, usersEndToken } from '@/client/sdk.gen'
import type { ApiTokenPublic } from '@/client/types.gen'
import type { Confirmation } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { lazyPart } from '@/components/lazy'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { usePageDialogs } from '@/components/page-dialogs'
import { apiTokensOf, isExpired } from '@/data/api/ways-in'
import { timeUntil } from '@/data/time-ago'
import { exactTime } from '@/lib/time-text'
import { ConfirmIfPresent, EntryButton, EntryList, LastUse } from './entry-list'
import { apiTokenDialogs } from './ways-in-search'
import { idOf, type Owner, useMayChange, WaysSection, WaysSkeleton } from './ways-section'
import { scopeText } from './scope-text'

const CreateTokenDialog = lazyPart(async () => (await import('./own/create-token-dialog')).CreateTokenDialog)

export function ApiTokens({ owner }: { owner: Owner }) {
  const query = useQuery(apiTokensOf(idOf(owner)))
  const mayChange = useMayChange(owner)
  const section = {
    owner,
    title: 'API tokens',
    text: 'With a token, a program acts as you, but changes no password, role or token.',
    link: 'Your tokens',
  }
  const { open, shown } = usePageDialogs(apiTokenDialogs, ({ dialog, ...given }) => {
    if (!query.data) return null
    if (dialog.kind === 'create_token') return <CreateTokenDialog {...given.control} onFailure={given.onFailure} />
    if (!mayChange) return null
    const token = query.data.data.find(({ id }) => id === dialog.id)
    return <ConfirmIfPresent {...given} gone="This token no longer exists." entry={questionOf(owner, token)} />
  })
  return (
    <>
      <QueryBoundary
        query={query}
        absent={null}
        waiting={
          owner === 'me' && (
            <WaysSection {...section}>
              <WaysSkeleton />
            </WaysSection>
          )
        }
      >
        {({ data }) =>
          (owner === 'me' || data.length > 0) && (
            <WaysSection {...section}>
              <EntryList
                label="API tokens"
                noun="token"
                entries={data}
                empty="You have no tokens."
                button={
                  owner === 'me' && (
                    <Button
                      variant="secondary"
                      onClick={({ currentTarget }) => open({ kind: 'create_token' }, currentTarget)}
                    >
                      Create Token
                    </Button>
                  )
                }
                title={titleOf}
                facts={factsOf}
                action={({ id, name }) =>
                  mayChange && (
                    <EntryButton
                      text="Revoke"
                      name={name}
                      onOpen={(opener) => open({ kind: 'delete_token', id }, opener)}
                    />
                  )
                }
              />
            </WaysSection>
          )
        }
      </QueryBoundary>
      {shown}
    </>
  )
}

const titleOf = (token: ApiTokenPublic) => (
  <>
    <UserText>{token.name}</UserText>
    <Badge variant="outline">{scopeText(token.scope)}</Badge>
    {isExpired(token) && <Badge variant="secondary">Expired</Badge>}
  </>
)

const factsOf = (token: ApiTokenPublic) => (
  <>
    {isExpired(token) ? (
      <span>
        Expired <TimeAgo time={token.expires_at} />
      </span>
    ) : (
      <time dateTime={token.expires_at} title={exactTime(token.expires_at)} className="whitespace-nowrap">
        {`Expires ${timeUntil(token.expires_at)}`}
      </time>
    )}{' '}
    · <LastUse time={token.last_used_at} />
    {token.address !== null && <span>{` from ${token.address}`}</span>}
  </>
)

function questionOf(owner: Owner, token: ApiTokenPublic | undefined): Confirmation | undefined {
  if (!token) return undefined
  const { id: token_id, name } = token
  const isOwn = owner === 'me'
  return {
    title: 'Revoke Token',
    subject: name,
    description: isOwn ? (
      'Programs that use it can no longer act as you. This action cannot be undone.'
    ) : (
      <>
        Programs that use it can no longer act as <UserText>{owner.email}</UserText>. This action cannot be undone.
      </>
    ),
    action: 'Revoke Token',
    send: () =>
      ignoreNotFound(
        isOwn ? usersEndOwnToken({ path: { token_id } }) : usersEndToken({ path: { user_id: owner.id, token_id } }),
      ),
    meta: { success: 'The token was revoked.', invalidates: ['users'] },
  }
}

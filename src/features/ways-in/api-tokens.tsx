import { useQuery } from '@tanstack/react-query'
import { usersEndOwnToken, usersEndToken } from '@/client/sdk.gen'
import type { ApiTokenPublic } from '@/client/types.gen'
import type { Confirmation } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { lazyPart } from '@/components/lazy'
import { OpenButton } from '@/components/buttons'
import { useFailure } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time'
import { Badge } from '@/components/ui/badge'
import { UserText } from '@/components/ui/user-text'
import { usePageDialogs } from '@/components/page-dialogs'
import { isGone } from '@/data/api/errors'
import { apiTokensOf, isExpired } from '@/data/api/ways-in'
import { timeUntil } from '@/data/time-ago'
import { exactTime } from '@/lib/time-text'
import { apiTokenDialogs } from './ways-in-search'
import { ConfirmIfPresent, EntriesSection, LastUse, idOf, type Owner, useMayChange } from './ways-section'
import { scopeText } from './scope-text'

const CreateTokenDialog = lazyPart(async () => (await import('./own/create-token-dialog')).CreateTokenDialog)

export function ApiTokens({ owner }: { owner: Owner }) {
  const query = useQuery(apiTokensOf(idOf(owner)))
  const failure = useFailure(query)
  const mayChange = useMayChange(owner)
  const { open, shown } = usePageDialogs(apiTokenDialogs, ({ dialog, ...given }) => {
    if (!query.data) return null
    if (dialog.kind === 'create_token') return <CreateTokenDialog {...given.control} onFailure={given.onFailure} />
    if (!mayChange) return null
    const token = query.data.data.find(({ id }) => id === dialog.id)
    return <ConfirmIfPresent {...given} gone="This token no longer exists." entry={token && questionOf(owner, token)} />
  })
  const hasSection = failure !== null || owner === 'me' || Boolean(query.data?.count)
  return (
    <>
      {hasSection && !isGone(failure) && (
        <EntriesSection
          owner={owner}
          title="API tokens"
          text="With a token, a program acts as you, but changes no password, role or token."
          link="Your tokens"
          query={query}
          noun="token"
          empty="You have no tokens."
          ownButton={
            <OpenButton open={open} dialog={{ kind: 'create_token' }}>
              Create Token
            </OpenButton>
          }
          heading={headingOf}
          facts={factsOf}
          buttons={({ id, name }) => (
            <OpenButton open={open} dialog={{ kind: 'delete_token', id }} aria-label={`Revoke ${name}`}>
              Revoke
            </OpenButton>
          )}
        />
      )}
      {shown}
    </>
  )
}

const headingOf = (token: ApiTokenPublic) => (
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

function questionOf(owner: Owner, { id: token_id, name }: ApiTokenPublic): Confirmation {
  return {
    title: 'Revoke Token',
    subject: name,
    description: (
      <>
        Programs that use it can no longer act as {owner === 'me' ? 'you' : <UserText>{owner.email}</UserText>}. This
        action cannot be undone.
      </>
    ),
    action: 'Revoke Token',
    send: () =>
      ignoreNotFound(
        owner === 'me'
          ? usersEndOwnToken({ path: { token_id } })
          : usersEndToken({ path: { user_id: owner.id, token_id } }),
      ),
    meta: { success: 'The token was revoked.', invalidates: ['users'] },
  }
}

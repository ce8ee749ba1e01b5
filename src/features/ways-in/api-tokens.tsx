import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ApiTokenPublic } from '@/client/types.gen'
import { lazyPart } from '@/components/lazy'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useDialog } from '@/components/use-dialog'
import { hasCapabilities, useCurrentUser } from '@/data/api/current-user'
import { apiTokensOf, isExpired } from '@/data/api/ways-in'
import { exactTime, timeUntil } from '@/data/time-ago'
import { EntryButton, EntryList, LastUse } from './entry-list'
import { apiTokenDialogs } from './ways-in-search'
import { idOf, type Owner, useMayChange, WaysSection } from './ways-section'
import { scopeText } from './words'

const CreateTokenDialog = lazyPart(async () => (await import('./own/create-token-dialog')).CreateTokenDialog)
const EndTokenDialog = lazyPart(async () => (await import('./dialogs/entry-dialogs')).EndTokenDialog)

/** The tokens with which programs act as somebody; nothing where the back end has none, or a user. */
export function ApiTokens({ owner }: { owner: Owner }) {
  const enabled = hasCapabilities(useCurrentUser())
  const query = useQuery({ ...apiTokensOf(idOf(owner)), enabled })
  const mayChange = useMayChange(owner)
  const { dialog, opening, open, control } = useDialog(apiTokenDialogs, useSearch({ strict: false }))
  return (
    <QueryBoundary query={query} absent={null}>
      {({ data }) => (
        <>
          {(owner === 'me' || data.length > 0) && (
            <WaysSection
              owner={owner}
              title="API tokens"
              text="With a token, a program acts as you, but changes no password, role or token."
              link="Your tokens"
              action={
                owner === 'me' && (
                  <Button onClick={({ currentTarget }) => open({ kind: 'create_token' }, currentTarget)}>
                    Create Token
                  </Button>
                )
              }
            >
              {data.length === 0 ? (
                <p className="text-muted-foreground">You have no tokens.</p>
              ) : (
                <EntryList
                  label="API tokens"
                  entries={data}
                  title={(token) => <Title token={token} />}
                  facts={(token) => <Facts token={token} />}
                  action={({ id, name }) =>
                    mayChange && (
                      <EntryButton
                        text="End"
                        name={name}
                        onOpen={(opener) => open({ kind: 'delete_token', id }, opener)}
                      />
                    )
                  }
                />
              )}
            </WaysSection>
          )}
          {dialog?.kind === 'create_token' && (
            <CreateTokenDialog key={opening} onFailure={control.onClose} {...control} />
          )}
          {dialog?.kind === 'delete_token' && mayChange && (
            <EndTokenDialog
              key={opening}
              onFailure={control.onClose}
              owner={owner}
              id={dialog.id}
              entries={data}
              control={control}
            />
          )}
        </>
      )}
    </QueryBoundary>
  )
}

function Title({ token }: { token: ApiTokenPublic }) {
  return (
    <>
      <UserText>{token.name}</UserText>
      <Badge variant="outline">{scopeText(token.scope)}</Badge>
      {isExpired(token) && <Badge variant="secondary">Expired</Badge>}
    </>
  )
}

function Facts({ token }: { token: ApiTokenPublic }) {
  const { last_used_at, address } = token
  return (
    <>
      <Expiry token={token} /> · <LastUse time={last_used_at} from={address === null ? '' : ` from ${address}`} />
    </>
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

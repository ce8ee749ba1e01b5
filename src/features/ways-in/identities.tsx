import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { usersIdentityOptions } from '@/client/sdk.gen'
import type { IdentityPublic, OidcProvider } from '@/client/types.gen'
import { lazyPart } from '@/components/lazy'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useDialog } from '@/components/use-dialog'
import { useProvider } from '@/data/api/use-instance'
import { useRequest } from '@/data/api/use-request'
import { identitiesOf } from '@/data/api/ways-in'
import { leaveTo } from '@/browser/leave-to'
import { EntryButton, EntryList, LastUse } from './entry-list'
import { identityDialogs } from './ways-in-search'
import { idOf, type Owner, useMayChange, WaysSection } from './ways-section'
import { identityName, issuerText } from './words'

const RemoveIdentityDialog = lazyPart(async () => (await import('./dialogs/entry-dialogs')).RemoveIdentityDialog)

/** The company accounts with which somebody logs in; nothing where the back end has no provider. */
export function Identities({ owner }: { owner: Owner }) {
  const provider = useProvider()
  return provider && <OfProvider owner={owner} provider={provider} />
}

function OfProvider({ owner, provider: { name } }: { owner: Owner; provider: OidcProvider }) {
  const query = useQuery(identitiesOf(idOf(owner)))
  const mayChange = useMayChange(owner)
  const { dialog, opening, open, control } = useDialog(identityDialogs, useSearch({ strict: false }))
  return (
    <WaysSection
      owner={owner}
      title="Connected account"
      text={`Log in with your account at ${name}.`}
      link="Your security page"
      action={owner === 'me' && <Connect name={name} />}
    >
      <QueryBoundary query={query} absent="This server connects no accounts.">
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <p className="text-muted-foreground">No account is connected.</p>
            ) : (
              <EntryList
                label="Connected accounts"
                entries={data}
                title={(identity) => <UserText>{identityName(identity)}</UserText>}
                facts={(identity) => <Facts identity={identity} />}
                action={(identity) =>
                  mayChange && (
                    <EntryButton
                      text="Remove"
                      name={identityName(identity)}
                      onOpen={(opener) => open({ kind: 'delete_identity', id: identity.id }, opener)}
                    />
                  )
                }
              />
            )}
            {dialog && mayChange && (
              <RemoveIdentityDialog
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
    </WaysSection>
  )
}

function Facts({ identity }: { identity: IdentityPublic }) {
  const { email, created_at, last_used_at } = identity
  return (
    <>
      {email !== null && <span>{`${issuerText(identity)} · `}</span>}
      Connected <TimeAgo time={created_at} /> · <LastUse time={last_used_at} />
    </>
  )
}

/** Leads to the provider, which leads back here. */
function Connect({ name }: { name: string }) {
  const connect = useRequest({
    mutationFn: async () => leaveTo((await usersIdentityOptions()).data.url),
  })
  return (
    <Button pending={connect.pending} onClick={() => connect.send()}>
      {`Connect ${name}`}
    </Button>
  )
}

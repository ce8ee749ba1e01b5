import { useQuery } from '@tanstack/react-query'
import { usersDeleteIdentity, usersDeleteOwnIdentity, usersIdentityOptions } from '@/client/sdk.gen'
import type { IdentityPublic } from '@/client/types.gen'
import type { Confirmation } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { usePageDialogs } from '@/components/page-dialogs'
import { useProvider } from '@/data/api/use-instance'
import { useRequest } from '@/data/api/use-request'
import { identitiesOf } from '@/data/api/ways-in'
import { leaveTo } from '@/browser/leave-to'
import { ConfirmIfPresent, EntryButton, EntryList, LastUse } from './entry-list'
import { identityDialogs } from './ways-in-search'
import { idOf, type Owner, useMayChange, WaysSection, WaysSkeleton } from './ways-section'

export function Identities({ owner }: { owner: Owner }) {
  const provider = useProvider()
  const query = useQuery({ ...identitiesOf(idOf(owner)), enabled: provider !== undefined })
  const mayChange = useMayChange(owner)
  // The provider sends the browser back to this page.
  const connect = useRequest({ mutationFn: async () => leaveTo((await usersIdentityOptions()).data.url) })
  const { open, shown } = usePageDialogs(identityDialogs, ({ dialog, ...given }) => {
    if (!query.data || !mayChange) return null
    const identity = query.data.data.find(({ id }) => id === dialog.id)
    return (
      <ConfirmIfPresent {...given} gone="This account is no longer connected." entry={questionOf(owner, identity)} />
    )
  })
  if (!provider) return null
  const { name } = provider
  return (
    <>
      <WaysSection
        owner={owner}
        title="Connected account"
        text={`Log in with your account at ${name}.`}
        link="Your security page"
      >
        <QueryBoundary
          query={query}
          absent="This server connects no accounts."
          waiting={owner === 'me' && <WaysSkeleton />}
        >
          {({ data }) => (
            <EntryList
              label="Connected accounts"
              noun="account"
              entries={data}
              empty="No account is connected."
              button={
                owner === 'me' && (
                  <Button variant="secondary" pending={connect.pending} onClick={() => connect.send()}>
                    {`Connect ${name}`}
                  </Button>
                )
              }
              title={(identity) => <UserText>{nameOf(identity)}</UserText>}
              facts={factsOf}
              action={(identity) =>
                mayChange && (
                  <EntryButton
                    text="Remove"
                    name={nameOf(identity)}
                    onOpen={(opener) => open({ kind: 'delete_identity', id: identity.id }, opener)}
                  />
                )
              }
            />
          )}
        </QueryBoundary>
      </WaysSection>
      {shown}
    </>
  )
}

const nameOf = (identity: IdentityPublic): string => identity.email ?? issuerOf(identity)

const issuerOf = ({ issuer }: IdentityPublic): string => issuer.replace(/^https?:\/\//, '')

const factsOf = (identity: IdentityPublic) => (
  <>
    {identity.email !== null && <span>{`${issuerOf(identity)} · `}</span>}
    Connected <TimeAgo time={identity.created_at} /> · <LastUse time={identity.last_used_at} />
  </>
)

function questionOf(owner: Owner, identity: IdentityPublic | undefined): Confirmation | undefined {
  if (!identity) return undefined
  const { id: identity_id } = identity
  const isOwn = owner === 'me'
  return {
    title: 'Remove Connected Account',
    subject: nameOf(identity),
    description: isOwn ? (
      'You can no longer log in with this account.'
    ) : (
      <>
        <UserText>{owner.email}</UserText> can no longer log in with this account. Sessions stay.
      </>
    ),
    action: 'Remove',
    send: () =>
      ignoreNotFound(
        isOwn
          ? usersDeleteOwnIdentity({ path: { identity_id } })
          : usersDeleteIdentity({ path: { user_id: owner.id, identity_id } }),
      ),
    meta: { success: 'The account is no longer connected.', invalidates: ['users'] },
  }
}

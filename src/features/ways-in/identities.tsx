import { useQuery } from '@tanstack/react-query'
import { usersDeleteIdentity, usersDeleteOwnIdentity, usersIdentityOptions } from '@/client/sdk.gen'
import type { IdentityPublic } from '@/client/types.gen'
import type { Confirmation } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { OpenButton, RequestButton } from '@/components/buttons'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time'
import { UserText } from '@/components/ui/user-text'
import { usePageDialogs } from '@/components/page-dialogs'
import { useInstance } from '@/data/api/use-instance'
import { identitiesOf } from '@/data/api/ways-in'
import { leaveTo } from '@/browser/leave-to'
import { identityDialogs } from './ways-in-search'
import { ConfirmIfPresent, EntriesSection, LastUse, idOf, type Owner, useMayChange } from './ways-section'

export function Identities({ owner }: { owner: Owner }) {
  return (
    <QueryBoundary query={useInstance()} absent={null}>
      {({ oidc }) => oidc && <ConnectedAccounts owner={owner} provider={oidc.name} />}
    </QueryBoundary>
  )
}

function ConnectedAccounts({ owner, provider }: { owner: Owner; provider: string }) {
  const query = useQuery(identitiesOf(idOf(owner)))
  const mayChange = useMayChange(owner)
  const { open, shown } = usePageDialogs(identityDialogs, ({ dialog, ...given }) => {
    if (!query.data || !mayChange) return null
    const entry = query.data.data.find(({ id }) => id === dialog.id)
    const question = entry && questionOf(owner, entry)
    return <ConfirmIfPresent {...given} gone="This account is no longer connected." entry={question} />
  })
  return (
    <>
      <EntriesSection
        owner={owner}
        title="Connected account"
        text={`Log in with your account at ${provider}.`}
        query={query}
        absent="This server connects no accounts."
        label="Connected accounts"
        noun="account"
        empty="No account is connected."
        ownButton={
          // The provider sends the browser back to this page.
          <RequestButton send={async () => leaveTo((await usersIdentityOptions()).data.url)} meta={{}}>
            {`Connect ${provider}`}
          </RequestButton>
        }
        heading={(identity) => <UserText>{nameOf(identity)}</UserText>}
        facts={factsOf}
        buttons={(identity) => (
          <OpenButton
            open={open}
            dialog={{ kind: 'delete_identity', id: identity.id }}
            aria-label={`Remove ${nameOf(identity)}`}
          >
            Remove
          </OpenButton>
        )}
      />
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

function questionOf(owner: Owner, identity: IdentityPublic): Confirmation {
  const { id: identity_id } = identity
  return {
    title: 'Remove Connected Account',
    subject: nameOf(identity),
    description:
      owner === 'me' ? (
        'You can no longer log in with this account.'
      ) : (
        <>
          <UserText>{owner.email}</UserText> can no longer log in with this account. Sessions stay.
        </>
      ),
    action: 'Remove',
    send: () =>
      ignoreNotFound(
        owner === 'me'
          ? usersDeleteOwnIdentity({ path: { identity_id } })
          : usersDeleteIdentity({ path: { user_id: owner.id, identity_id } }),
      ),
    meta: { success: 'The account is no longer connected.', invalidates: ['users'] },
  }
}

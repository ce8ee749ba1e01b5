import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { IdentitiesPublic } from '@/client/types.gen'
import { IdentityList, nameOf } from '@/components/identity-list'
import { Link } from '@/components/link'
import { QueryBoundary } from '@/components/query-boundary'
import { textLink } from '@/components/ui/classes'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { RemoveUserIdentity } from './lazy-dialogs'
import { type PartProps, Section } from './user-section'
import { userIdentityDialogs } from './users-search'

const route = getRouteApi('/_layout/users_/$userId')

interface UserIdentitiesProps extends Pick<PartProps, 'user' | 'isSelf'> {
  query: UseQueryResult<IdentitiesPublic, unknown>
}

/** The company accounts with which a user logs in. */
export function UserIdentities({ query, user, isSelf }: UserIdentitiesProps) {
  const { dialog, opening, open, control } = useDialog(userIdentityDialogs, route.useSearch())
  const ownPage = (
    <Link to="/security" className={textLink}>
      Your security page
    </Link>
  )
  return (
    <Section title="Connected account" action={isSelf && ownPage}>
      <QueryBoundary query={query} absent="This server connects no accounts.">
        {({ data }) => (
          <IdentityList
            identities={data}
            action={(identity) =>
              !isSelf && (
                <Button
                  variant="secondary"
                  aria-label={`Remove ${nameOf(identity)}`}
                  onClick={({ currentTarget }) => open({ kind: 'delete_identity', id: identity.id }, currentTarget)}
                >
                  Remove
                </Button>
              )
            }
          />
        )}
      </QueryBoundary>
      {dialog && query.data && !isSelf && (
        <RemoveUserIdentity
          key={opening}
          onFailure={control.onClose}
          control={control}
          user={user}
          id={dialog.id}
          entries={query.data.data}
        />
      )}
    </Section>
  )
}

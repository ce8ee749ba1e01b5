import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { usersDeleteOwnIdentity, usersIdentityOptions } from '@/client/sdk.gen'
import type { OidcProvider } from '@/client/types.gen'
import { RemoveIdentity } from '@/components/dialog/remove-identity'
import { IdentityList, nameOf } from '@/components/identity-list'
import { QueryBoundary } from '@/components/query-boundary'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { ownIdentities, useProvider } from '@/data/api/use-instance'
import { useRequest } from '@/data/api/use-request'
import { leaveTo } from '@/data/leave-to'
import { identityDialogs } from './identities-search'

const route = getRouteApi('/_layout/security')

/** The company accounts of the person; nothing where the back end has no provider. */
export function IdentitiesSection() {
  const provider = useProvider()
  return provider ? <Section provider={provider} /> : null
}

function Section({ provider: { name } }: { provider: OidcProvider }) {
  const query = useQuery(ownIdentities)
  const { dialog, opening, open, control } = useDialog(identityDialogs, route.useSearch())
  return (
    <section className="mt-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">Connected account</h2>
          <p className="mt-1 text-muted-foreground">{`Log in with your account at ${name}.`}</p>
        </div>
        <Connect name={name} />
      </header>
      <div className="mt-4">
        <QueryBoundary query={query} absent="This server connects no accounts.">
          {({ data }) => (
            <>
              <IdentityList
                identities={data}
                action={(identity) => (
                  <Button
                    variant="secondary"
                    aria-label={`Remove ${nameOf(identity)}`}
                    onClick={({ currentTarget }) => open({ kind: 'delete_identity', id: identity.id }, currentTarget)}
                  >
                    Remove
                  </Button>
                )}
              />
              {dialog && (
                <RemoveIdentity
                  key={opening}
                  id={dialog.id}
                  entries={data}
                  control={control}
                  description="You can no longer log in with this account."
                  send={() => usersDeleteOwnIdentity({ path: { identity_id: dialog.id } })}
                />
              )}
            </>
          )}
        </QueryBoundary>
      </div>
    </section>
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

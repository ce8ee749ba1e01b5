import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { usersEndOwnToken } from '@/client/sdk.gen'
import { ApiTokenList } from '@/components/api-token-list'
import { EndToken } from '@/components/dialog/end-token'
import { lazyPart } from '@/components/lazy'
import { QueryBoundary } from '@/components/query-boundary'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { ownApiTokens } from '@/data/api/api-tokens'
import { hasCapabilities, useCurrentUser } from '@/data/api/current-user'
import { apiTokenDialogs } from './api-tokens-search'

const route = getRouteApi('/_layout/security')

const CreateTokenDialog = lazyPart(async () => (await import('./dialogs/create-token-dialog')).CreateTokenDialog)

/** The tokens of the account; nothing where the back end has none. */
export function ApiTokensSection() {
  const enabled = hasCapabilities(useCurrentUser())
  const query = useQuery({ ...ownApiTokens, enabled })
  const { dialog, opening, open, control } = useDialog(apiTokenDialogs, route.useSearch())
  return (
    <QueryBoundary query={query} absent={null}>
      {({ data }) => (
        <section className="mt-8">
          <header className="mb-4 flex flex-wrap items-end justify-between gap-4">
            <div className="min-w-0">
              <h2 className="text-lg font-semibold">API tokens</h2>
              <p className="mt-1 text-muted-foreground">
                With a token, a program acts as you, but changes no password, role or token.
              </p>
            </div>
            <Button onClick={({ currentTarget }) => open({ kind: 'create_token' }, currentTarget)}>Create Token</Button>
          </header>
          {data.length === 0 ? (
            <p className="text-muted-foreground">You have no tokens.</p>
          ) : (
            <ApiTokenList
              tokens={data}
              action={({ id, name }) => (
                <Button
                  variant="secondary"
                  aria-label={`End ${name}`}
                  onClick={({ currentTarget }) => open({ kind: 'delete_token', id }, currentTarget)}
                >
                  End
                </Button>
              )}
            />
          )}
          {dialog?.kind === 'create_token' && (
            <CreateTokenDialog key={opening} onFailure={control.onClose} {...control} />
          )}
          {dialog?.kind === 'delete_token' && (
            <EndToken
              key={opening}
              id={dialog.id}
              entries={data}
              control={control}
              description="Programs that use it can no longer act as you. This action cannot be undone."
              send={() => usersEndOwnToken({ path: { token_id: dialog.id } })}
            />
          )}
        </section>
      )}
    </QueryBoundary>
  )
}

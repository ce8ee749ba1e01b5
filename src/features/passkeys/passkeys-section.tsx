import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PasskeyPublic } from '@/client/types.gen'
import { EntryDialog } from '@/components/dialog/entry-dialog'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { type OpenDialog, useDialog } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'
import { ownPasskeys, useHasPasskeys } from '@/data/api/use-instance'
import { useRequest } from '@/data/api/use-request'
import { createPasskey } from '@/data/webauthn'
import { DeletePasskeyDialog, RenamePasskeyDialog } from './dialogs/passkey-dialogs'
import { type PasskeyDialog, passkeyDialogs } from './passkeys-search'

const route = getRouteApi('/_layout/security')

/** The passkeys of the account; nothing where there are none to have. */
export function PasskeysSection() {
  const hasPasskeys = useHasPasskeys()
  return hasPasskeys ? <Section /> : null
}

function Section() {
  const query = useQuery(ownPasskeys)
  const { dialog, opening, open, control } = useDialog(passkeyDialogs, route.useSearch())
  return (
    <section className="mt-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">Passkeys</h2>
          <p className="mt-1 text-muted-foreground">
            Log in with your fingerprint, face or screen lock instead of the password.
          </p>
        </div>
        <AddPasskey />
      </header>
      <div className="mt-4">
        <QueryBoundary query={query} absent="This server has no passkeys.">
          {({ data }) => (
            <>
              <PasskeyList passkeys={data} open={open} />
              {dialog && (
                <EntryDialog
                  key={opening}
                  id={dialog.id}
                  entries={data}
                  control={control}
                  gone="This passkey is not there any more."
                >
                  {(passkey) => {
                    const Dialog = dialog.kind === 'edit' ? RenamePasskeyDialog : DeletePasskeyDialog
                    return <Dialog {...control} passkey={passkey} />
                  }}
                </EntryDialog>
              )}
            </>
          )}
        </QueryBoundary>
      </div>
    </section>
  )
}

function AddPasskey() {
  const add = useRequest({
    mutationFn: createPasskey,
    meta: { success: 'Passkey added.', invalidates: ['users'] },
  })
  return (
    <Button pending={add.pending} onClick={() => add.send()}>
      Add Passkey
    </Button>
  )
}

function PasskeyList({ passkeys, open }: { passkeys: PasskeyPublic[]; open: OpenDialog<PasskeyDialog> }) {
  if (passkeys.length === 0) return <p className="text-muted-foreground">You have no passkeys.</p>
  return (
    <ul aria-label="Passkeys" className="divide-y border-y">
      {passkeys.map(({ id, name, created_at, last_used_at, is_synced }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
              <UserText>{name}</UserText>
              {is_synced && <Badge variant="outline">Synced</Badge>}
            </p>
            <p className="text-muted-foreground">
              Added <TimeAgo time={created_at} /> ·{' '}
              {last_used_at === null ? (
                <span>Never used</span>
              ) : (
                <span>
                  Last used <TimeAgo time={last_used_at} />
                </span>
              )}
            </p>
          </div>
          <div className="flex gap-2">
            <Button
              variant="secondary"
              aria-label={`Rename ${name}`}
              onClick={({ currentTarget }) => open({ kind: 'edit', id }, currentTarget)}
            >
              Rename
            </Button>
            <Button
              variant="secondary"
              aria-label={`Delete ${name}`}
              onClick={({ currentTarget }) => open({ kind: 'delete', id }, currentTarget)}
            >
              Delete
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

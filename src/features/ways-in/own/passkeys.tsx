import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { EntryDialog } from '@/components/dialog/entry-dialog'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'
import { useHasPasskeys } from '@/data/api/use-instance'
import { useRequest } from '@/data/api/use-request'
import { ownPasskeys } from '@/data/api/ways-in'
import { createPasskey } from '@/data/webauthn'
import { EntryButton, EntryList, LastUse } from '../entry-list'
import { passkeyDialogs } from '../ways-in-search'
import { OwnSection } from '../ways-section'
import { DeletePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs'

/** The passkeys of the account; nothing where there are none to have. */
export function OwnPasskeys() {
  const hasPasskeys = useHasPasskeys()
  return hasPasskeys ? <Section /> : null
}

function Section() {
  const query = useQuery(ownPasskeys)
  const { dialog, opening, open, control } = useDialog(passkeyDialogs, useSearch({ strict: false }))
  return (
    <OwnSection
      title="Passkeys"
      text="Log in with your fingerprint, face or screen lock instead of the password."
      action={<AddPasskey />}
    >
      <QueryBoundary query={query} absent="This server has no passkeys.">
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <p className="text-muted-foreground">You have no passkeys.</p>
            ) : (
              <EntryList
                label="Passkeys"
                entries={data}
                title={({ name, is_synced }) => (
                  <>
                    <UserText>{name}</UserText>
                    {is_synced && <Badge variant="outline">Synced</Badge>}
                  </>
                )}
                facts={({ created_at, last_used_at }) => (
                  <>
                    Added <TimeAgo time={created_at} /> · <LastUse time={last_used_at} />
                  </>
                )}
                action={({ id, name }) => (
                  <div className="flex gap-2">
                    <EntryButton text="Rename" name={name} onOpen={(opener) => open({ kind: 'edit', id }, opener)} />
                    <EntryButton text="Delete" name={name} onOpen={(opener) => open({ kind: 'delete', id }, opener)} />
                  </div>
                )}
              />
            )}
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
    </OwnSection>
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

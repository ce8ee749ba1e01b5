import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { PasskeyNameSchema } from '@/client/schemas.gen'
import { usersDeletePasskey, usersUpdatePasskey } from '@/client/sdk.gen'
import type { PasskeyPublic } from '@/client/types.gen'
import { Confirm, Refusal } from '@/components/dialog/confirm-dialog'
import { FormDialog } from '@/components/dialog/form-dialog'
import { TextField } from '@/components/form/fields'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { useSave, useZodForm } from '@/components/form/use-form'
import { OpenButton, RequestButton } from '@/components/buttons'
import { TimeAgo } from '@/components/time'
import { Badge } from '@/components/ui/badge'
import { type PageDialogControl, usePageDialogs } from '@/components/page-dialogs'
import { UserText } from '@/components/ui/user-text'
import { useCapabilities } from '@/data/api/capabilities'
import { ownPasskeys } from '@/data/api/ways-in'
import { createPasskey, signalPasskeys } from '@/data/webauthn'
import { requiredText } from '@/lib/validation/rules'
import { EntriesSection, LastUse } from '../ways-section'
import { passkeyDialogs } from '../ways-in-search'

export function OwnPasskeys() {
  const query = useQuery({ ...ownPasskeys, enabled: useCapabilities().has('passkeys') })
  const { open, shown } = usePageDialogs(passkeyDialogs, ({ dialog, control }) => {
    if (!query.data) return null
    const passkey = query.data.data.find(({ id }) => id === dialog.id)
    if (!passkey) return <Refusal control={control} reason="This passkey no longer exists." />
    const Dialog = dialog.kind === 'edit' ? RenamePasskey : DeletePasskey
    return <Dialog {...control} passkey={passkey} />
  })
  return (
    <>
      <EntriesSection
        owner="me"
        title="Passkeys"
        text="Log in with your fingerprint, face or screen lock instead of the password."
        query={query}
        absent="This server has no passkeys."
        noun="passkey"
        empty="You have no passkeys."
        ownButton={
          <RequestButton send={createPasskey} meta={{ success: 'Passkey added.', invalidates: ['users'] }}>
            Add Passkey
          </RequestButton>
        }
        heading={({ name, is_synced }) => (
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
        buttons={({ id, name }) => (
          <div className="flex gap-2">
            <OpenButton open={open} dialog={{ kind: 'edit', id }} aria-label={`Rename ${name}`}>
              Rename
            </OpenButton>
            <OpenButton open={open} dialog={{ kind: 'delete', id }} aria-label={`Delete ${name}`}>
              Delete
            </OpenButton>
          </div>
        )}
      />
      {shown}
    </>
  )
}

const schema = z.object({ name: requiredText('Name is required', PasskeyNameSchema) })

type PasskeyDialogProps = PageDialogControl & { passkey: PasskeyPublic }

function RenamePasskey({ passkey, onDone, ...control }: PasskeyDialogProps) {
  const form = useZodForm(schema, { name: passkey.name })
  const save = useSave(form, {
    send: (body) => usersUpdatePasskey({ path: { passkey_id: passkey.id }, body }),
    meta: { success: 'Passkey renamed.', invalidates: ['users'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Rename Passkey"
      description="Choose a name by which you recognize it."
      saveRule="valid and changed"
    >
      <TextField control={form.control} name="name" label="Name" required />
    </FormDialog>
  )
}

function DeletePasskey({ passkey, onDone, ...control }: PasskeyDialogProps) {
  return (
    <Confirm
      {...control}
      title="Delete Passkey"
      subject={passkey.name}
      description="You can no longer log in with this passkey. This action cannot be undone."
      send={() => ignoreNotFound(usersDeletePasskey({ path: { passkey_id: passkey.id } }))}
      meta={{ success: 'Passkey deleted.', invalidates: ['users'] }}
      onDone={() => {
        onDone()
        // It does not matter if this hint to the browser fails.
        void signalPasskeys().catch(() => undefined)
      }}
    />
  )
}

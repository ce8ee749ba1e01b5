import * as z from 'zod/mini'
import { usersDeletePasskey, usersUpdatePasskey } from '@/client/sdk.gen'
import type { PasskeyPublic } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { FormDialog } from '@/components/dialog/form-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { TextField } from '@/components/form/text-field'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { signalPasskeys } from '@/data/webauthn'
import { passkeyName } from '@/lib/validation/rules'

const schema = z.object({ name: passkeyName() })

interface PasskeyDialogProps extends PageDialogControl {
  passkey: PasskeyPublic
}

export function RenamePasskeyDialog({ passkey, onDone, ...control }: PasskeyDialogProps) {
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
      form={form}
      schema={schema}
      saveRule="valid and changed"
    >
      <TextField control={form.control} name="name" label="Name" required />
    </FormDialog>
  )
}

export function DeletePasskeyDialog({ passkey, onDone, ...control }: PasskeyDialogProps) {
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
        // Only a hint for the browser.
        void signalPasskeys().catch(() => undefined)
      }}
    />
  )
}

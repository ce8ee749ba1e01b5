import * as z from 'zod/mini'
import { usersDeletePasskey, usersUpdatePasskey } from '@/client/sdk.gen'
import type { PasskeyPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import { FormDialog } from '@/components/dialog/form-dialog'
import { TextField } from '@/components/form/text-field'
import { ignoreNotFound, useConfirmed } from '@/components/form/use-confirmed'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { ceremonies } from '@/components/lazy/ceremonies'
import type { PageDialogControl } from '@/components/use-dialog'
import { passkeyName } from '@/lib/validation/rules'

const schema = z.object({ name: passkeyName() })

interface PasskeyDialogProps extends PageDialogControl {
  passkey: PasskeyPublic
}

export function RenamePasskeyDialog({ passkey, onDone, ...control }: PasskeyDialogProps) {
  const form = useZodForm(schema, { name: passkey.name })
  const { pending, onSubmit } = useSubmit(form, {
    mutationFn: (body) => usersUpdatePasskey({ path: { passkey_id: passkey.id }, body }),
    meta: { success: 'Passkey renamed.', invalidates: ['users'] },
    onSuccess: onDone,
  })
  return (
    <FormDialog
      {...control}
      title="Rename Passkey"
      description="Choose a name by which you recognize it."
      form={form}
      schema={schema}
      saveRule="valid and changed"
      pending={pending}
      onSubmit={onSubmit}
    >
      <TextField control={form.control} name="name" label="Name" required />
    </FormDialog>
  )
}

export function DeletePasskeyDialog({ passkey, onDone, ...control }: PasskeyDialogProps) {
  const remove = useConfirmed({
    send: () => ignoreNotFound(usersDeletePasskey({ path: { passkey_id: passkey.id } })),
    meta: { success: 'Passkey deleted.', invalidates: ['users'] },
    onSuccess: () => {
      onDone()
      // Only a hint for the browser.
      void ceremonies
        .load()
        .then(({ signalPasskeys }) => signalPasskeys())
        .catch(() => undefined)
    },
  })
  return (
    <ConfirmDialog
      {...control}
      {...remove}
      title="Delete Passkey"
      subject={passkey.name}
      description="You can no longer log in with this passkey. This action cannot be undone."
    />
  )
}

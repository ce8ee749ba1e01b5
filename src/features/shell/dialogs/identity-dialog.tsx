import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { KeyRound } from 'lucide-react'
import { useRef } from 'react'
import * as z from 'zod/mini'
import { usersConfirm } from '@/client/sdk.gen'
import { Dialog, DialogBody, DialogFooter, dialogGrow } from '@/components/dialog/dialog'
import { PasswordField } from '@/components/form/password-field'
import { SubmitError } from '@/components/form/submit-error'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { useCurrentUser } from '@/lib/api/current-user'
import { ownPasskeys, useHasPasskeys } from '@/lib/api/use-passkeys'
import { confirmByPasskey } from '@/lib/ceremonies'
import type { IdentityRequest } from '@/lib/identity'
import { existingPassword } from '@/lib/validation/rules'

const schema = z.object({ password: existingPassword() })

/** Asks for the password or a passkey. */
export function IdentityDialog({ open, settle }: IdentityRequest & { open: boolean }) {
  const { email } = useCurrentUser()
  // What was pressed, also in another dialog.
  const opener = useRef(document.activeElement as HTMLElement | null)
  const form = useZodForm(schema, { password: '' })
  const confirm = useSubmit(form, {
    mutationFn: (body) => usersConfirm({ body }),
    meta: { failure: 'form' },
    onSuccess: () => settle(true),
    onError: () => form.setFocus('password'),
  })
  const byPasskey = useMutation({ mutationFn: confirmByPasskey, onSuccess: () => settle(true) })
  const hasPasskeys = useHasPasskeys()
  const { data: passkeys } = useQuery({ ...ownPasskeys, enabled: hasPasskeys })
  return (
    <Dialog
      open={open}
      opener={opener}
      onClose={() => settle(false)}
      title="Confirm that it is you"
      keepOpen={() => form.getValues('password') !== ''}
    >
      <form noValidate className={clsx('flex flex-col', dialogGrow)} onSubmit={confirm.onSubmit}>
        <DialogBody description="You logged in some time ago. This change needs a recent confirmation.">
          <input type="email" value={email} autoComplete="username" readOnly hidden />
          <PasswordField
            control={form.control}
            name="password"
            label="Password"
            autoComplete="current-password"
            required
            footnote={<SubmitError error={confirm.error} />}
          />
          {(passkeys?.count ?? 0) > 0 && (
            <Button
              variant="secondary"
              className="mb-4 w-full"
              pending={byPasskey.isPending}
              onClick={() => byPasskey.mutate()}
            >
              <KeyRound aria-hidden />
              Use a passkey
            </Button>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={() => settle(false)}>
            Cancel
          </Button>
          <Button type="submit" pending={confirm.pending}>
            Confirm
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

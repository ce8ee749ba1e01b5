import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { KeyRound } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import * as z from 'zod/mini'
import { usersConfirm } from '@/client/sdk.gen'
import { Dialog, DialogBody, DialogFooter, dialogGrow } from '@/components/dialog/dialog'
import { CodeField } from '@/components/form/code-field'
import { PasswordField } from '@/components/form/password-field'
import { SubmitError } from '@/components/form/submit-error'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { useCurrentUser } from '@/data/api/current-user'
import { ownPasskeys, useHasApp, useHasPasskeys } from '@/data/api/use-instance'
import type { ReauthenticationRequest } from '@/data/reauthentication'
import { appCode, existingPassword } from '@/lib/validation/rules'
import { confirmByPasskey } from '@/data/webauthn'

const schemas = { code: z.object({ proof: appCode() }), password: z.object({ proof: existingPassword() }) }

interface ReauthenticationDialogProps extends ReauthenticationRequest {
  open: boolean
}

/** Asks for a code of the authenticator app, or without one for the password; also for a passkey. */
export function ReauthenticationDialog(props: ReauthenticationDialogProps) {
  // What was pressed, also in another dialog.
  const opener = useRef(document.activeElement as HTMLElement | null)
  const hasApp = useHasApp()
  if (hasApp === undefined) return null
  const kind = hasApp ? 'code' : 'password'
  return <Question key={kind} {...props} kind={kind} opener={opener} />
}

interface QuestionProps extends ReauthenticationDialogProps {
  kind: keyof typeof schemas
  opener: RefObject<HTMLElement | null>
}

function Question({ open, settle, kind, opener }: QuestionProps) {
  const { email } = useCurrentUser()
  const form = useZodForm(schemas[kind], { proof: '' })
  const confirm = useSave(form, {
    send: ({ proof }) => usersConfirm({ body: kind === 'code' ? { code: proof } : { password: proof } }),
    meta: { failure: 'form' },
    onSaved: () => settle(true),
    onError: () => form.setFocus('proof', { shouldSelect: kind === 'code' }),
  })
  const byPasskey = useMutation({
    mutationFn: confirmByPasskey,
    onSuccess: () => settle(true),
  })
  const hasPasskeys = useHasPasskeys()
  const { data: passkeys } = useQuery({ ...ownPasskeys, enabled: hasPasskeys })
  const field = {
    control: form.control,
    name: 'proof',
    footnote: <SubmitError error={confirm.error} />,
  } as const
  return (
    <Dialog
      open={open}
      opener={opener}
      onClose={() => settle(false)}
      title="Confirm that it is you"
      keepOpen={() => form.getValues('proof') !== ''}
    >
      <form noValidate className={clsx('flex flex-col', dialogGrow)} onSubmit={confirm.onSubmit}>
        <DialogBody
          description={
            kind === 'code'
              ? 'You logged in some time ago. This change needs a code of your authenticator app.'
              : 'You logged in some time ago. This change needs a recent confirmation.'
          }
        >
          <input type="email" value={email} autoComplete="username" readOnly hidden />
          {kind === 'code' ? (
            <CodeField {...field} onComplete={confirm.submit} />
          ) : (
            <PasswordField {...field} label="Password" autoComplete="current-password" required />
          )}
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

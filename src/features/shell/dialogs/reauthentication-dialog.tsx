import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Building2, KeyRound } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import * as z from 'zod/mini'
import { usersConfirm, usersConfirmOidc } from '@/client/sdk.gen'
import { Dialog, DialogBody, DialogFooter, DialogForm } from '@/components/dialog/dialog'
import { CodeField, PasswordField, SubmitError } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { useCapabilities } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { useProvider } from '@/data/api/use-instance'
import { useRequest } from '@/data/api/use-request'
import { ownPasskeys, useHasApp, useHasPassword, useOwnIdentities } from '@/data/api/ways-in'
import { keepDraftForReturn } from '@/data/drafts'
import { leaveTo } from '@/browser/leave-to'
import type { ReauthenticationRequest } from '@/data/reauthentication'
import { appCode, existingPassword } from '@/lib/validation/rules'
import { confirmByPasskey } from '@/data/webauthn'

const schemas = {
  code: z.object({ proof: appCode() }),
  password: z.object({ proof: existingPassword() }),
  other: z.object({ proof: z.string() }),
}

interface QuestionProps extends ReauthenticationRequest {
  open: boolean
  opener: RefObject<HTMLElement | null>
}

export function ReauthenticationDialog(props: Omit<QuestionProps, 'opener'>) {
  const opener = useRef(document.activeElement as HTMLElement | null)
  const hasApp = useHasApp()
  const hasPassword = useHasPassword()
  const takesPasswords = useCapabilities().has('passwords')
  if (hasApp === undefined || hasPassword === undefined) return null
  const kind = hasApp ? 'code' : hasPassword && takesPasswords ? 'password' : 'other'
  return <Question key={kind} {...props} kind={kind} opener={opener} />
}

function Question({ open, settle, kind, opener }: QuestionProps & { kind: keyof typeof schemas }) {
  const { id, email } = useCurrentUser()
  const router = useRouter()
  const form = useZodForm(schemas[kind], { proof: '' })
  const confirm = useSave(form, {
    send: ({ proof }) => usersConfirm({ body: kind === 'code' ? { code: proof } : { password: proof } }),
    meta: { failure: 'form' },
    onSaved: () => settle(true),
    onError: () => form.setFocus('proof', { shouldSelect: kind === 'code' }),
  })
  const passkeys = useQuery({ ...ownPasskeys, enabled: useCapabilities().has('passkeys') })
  const byPasskey = useRequest({ mutationFn: confirmByPasskey, onSuccess: () => settle(true) })
  const provider = useProvider()
  const identities = useOwnIdentities()
  // The provider sends the person back to this page, where the form restores its draft.
  const byCompany = useRequest({
    mutationFn: async () => {
      const { href } = router.state.location
      const { data } = await usersConfirmOidc({ body: { return_to: href } })
      const onCameBack = keepDraftForReturn(id, href)
      await leaveTo(data.url)
      onCameBack()
    },
  })
  const field = {
    control: form.control,
    name: 'proof',
    footnote: <SubmitError error={confirm.error} />,
  } as const
  if (kind === 'other' && (passkeys.isLoading || identities.isLoading)) return null
  const hasPasskey = (passkeys.data?.count ?? 0) > 0
  const connected = (identities.data?.count ?? 0) > 0 ? provider : undefined
  const hasOtherWay = hasPasskey || Boolean(connected)
  return (
    <Dialog
      open={open}
      opener={opener}
      onClose={() => settle(false)}
      title="Confirm that it is you"
      sheet="from below"
      keepOpen={() => form.getValues('proof') !== ''}
    >
      <DialogForm onSubmit={confirm.onSubmit}>
        <DialogBody
          description={`You logged in some time ago. ${
            kind === 'code'
              ? 'This change needs a code of your authenticator app.'
              : kind === 'other' && !hasOtherWay
                ? 'To make this change, log out and log in again.'
                : 'This change needs a recent confirmation.'
          }`}
        >
          <input type="email" value={email} autoComplete="username" readOnly hidden />
          {kind === 'code' && <CodeField {...field} onComplete={confirm.submit} />}
          {kind === 'password' && (
            <PasswordField {...field} label="Password" autoComplete="current-password" required />
          )}
          {hasOtherWay && (
            <div className="mb-4 grid grid-cols-1 gap-2">
              {hasPasskey && (
                <Button variant="secondary" pending={byPasskey.pending} onClick={() => byPasskey.send()}>
                  <KeyRound aria-hidden />
                  Use a passkey
                </Button>
              )}
              {connected && (
                <Button variant="secondary" pending={byCompany.pending} onClick={() => byCompany.send()}>
                  <Building2 aria-hidden />
                  <span className="truncate tiny:whitespace-normal">{`Log in with ${connected.name} again`}</span>
                </Button>
              )}
            </div>
          )}
        </DialogBody>
        <DialogFooter onCancel={() => settle(false)}>
          {kind !== 'other' && (
            <Button type="submit" pending={confirm.pending}>
              Confirm
            </Button>
          )}
        </DialogFooter>
      </DialogForm>
    </Dialog>
  )
}

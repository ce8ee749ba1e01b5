import * as z from 'zod/mini'
import { loginRecoverPassword } from '@/client/sdk.gen'
import { TextField } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { email } from '@/lib/validation/rules'
import { AuthForm, AuthLink, PasswordPage } from './auth-page'

const schema = z.object({ email: email() })

export function RecoverPasswordPage() {
  const form = useZodForm(schema, { email: '' })
  const recover = useSave(form, {
    send: (path) => loginRecoverPassword({ path }),
    meta: { success: 'Password recovery email sent successfully.' },
    onSaved: () => form.reset(),
  })
  return (
    <PasswordPage title="Password Recovery" text="A password recovery email will be sent to the registered account.">
      <AuthForm save={recover} submitLabel="Continue">
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="email" required />
      </AuthForm>
      <AuthLink text="Remember your password?" to="/login" link="Log In" />
    </PasswordPage>
  )
}

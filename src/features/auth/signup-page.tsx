import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { usersRegisterUser } from '@/client/sdk.gen'
import { NewPasswordFields, TextField } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { useKnownInstance } from '@/data/api/instance'
import { confirmation, email, fullName, matching, password } from '@/lib/validation/rules'
import { AuthForm, AuthLink, PasswordPage } from './auth-page'

const schema = z
  .object({
    full_name: fullName('Full Name is required'),
    email: email(),
    password: password(),
    confirm_password: confirmation(),
  })
  .check(matching('password'))

export function SignupPage() {
  const { sign_up } = useKnownInstance()
  const navigate = useNavigate()
  const form = useZodForm(schema, { full_name: '', email: '', password: '', confirm_password: '' })
  const signUp = useSave(form, {
    send: ({ confirm_password, ...body }) => usersRegisterUser({ body }),
    meta: { invalidates: ['users'] },
    onSaved: (_user, { email: address }) =>
      navigate({ to: '/login', state: { logInState: { reason: 'signed-up', email: address } } }),
  })
  const { control } = form
  const isClosed = sign_up === 'closed'
  const text = isClosed
    ? 'Sign-up is closed. Please ask an administrator for an account.'
    : 'Enter your details below to create an account.'
  return (
    <PasswordPage title="Sign Up" text={text}>
      {!isClosed && (
        <AuthForm save={signUp} submitLabel="Sign Up">
          <TextField control={control} name="full_name" label="Full Name" autoComplete="name" required />
          <TextField control={control} name="email" label="Email" type="email" autoComplete="email" required />
          <NewPasswordFields control={control} name="password" label="Password" />
        </AuthForm>
      )}
      <AuthLink text="Already have an account?" to="/login" link="Log In" />
    </PasswordPage>
  )
}

import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { usersRegisterUserMutation } from '@/client/@tanstack/react-query.gen'
import { NewPasswordFields } from '@/components/form/new-password-fields'
import { TextField } from '@/components/form/text-field'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { confirmation, email, fullName, matching, password } from '@/lib/validation/rules'
import { AuthForm, AuthLink } from './auth-page'

const schema = z
  .object({
    full_name: fullName('Full Name is required'),
    email: email(),
    password: password(),
    confirm_password: confirmation(),
  })
  .check(matching('password'))

export function SignupForm({ onSignUp }: { onSignUp: (email: string) => Promise<void> }) {
  const form = useZodForm(schema, { full_name: '', email: '', password: '', confirm_password: '' })
  const signUp = useMutation({
    ...usersRegisterUserMutation(),
    meta: { invalidates: ['users'] },
    onSuccess: (_user, { body }) => onSignUp(body.email),
  })
  const submit = useSubmit(form, signUp, ({ full_name, email: address, password: chosen }) => ({
    body: { full_name, email: address, password: chosen },
  }))
  const { control, trigger } = form
  return (
    <AuthForm onSubmit={submit}>
      <TextField control={control} name="full_name" label="Full Name" autoComplete="name" required />
      <TextField control={control} name="email" label="Email" type="email" autoComplete="email" required />
      <NewPasswordFields
        control={control}
        trigger={trigger}
        names={['password', 'confirm_password']}
        labels={['Password', 'Confirm Password']}
      />
      <Button type="submit" pending={signUp.isPending} className="mt-2 w-full">
        Sign Up
      </Button>
      <AuthLink text="Already have an account?" to="/login">
        Log In
      </AuthLink>
    </AuthForm>
  )
}

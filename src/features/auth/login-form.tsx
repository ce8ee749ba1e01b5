import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { loginLoginAccessTokenMutation } from '@/client/@tanstack/react-query.gen'
import { PasswordField } from '@/components/form/password-field'
import { TextField } from '@/components/form/text-field'
import { useSubmit } from '@/components/form/use-submit'
import { Button } from '@/components/ui/button'
import { errorMessage } from '@/lib/api/errors'
import { email, existingPassword } from '@/lib/validation/rules'

const schema = z.object({ username: email(), password: existingPassword() })

/** @param onLogIn gets the new session's access token; until it is done the form counts as being sent */
export function LoginForm({ onLogIn }: { onLogIn: (token: string) => Promise<void> }) {
  const form = useForm({
    resolver: zodResolver(schema),
    mode: 'onBlur',
    criteriaMode: 'all',
    defaultValues: { username: '', password: '' },
  })
  const logIn = useMutation({
    ...loginLoginAccessTokenMutation(),
    meta: { failure: 'form' },
    onSuccess: ({ access_token }) => onLogIn(access_token),
  })
  const submit = useSubmit(form, logIn, (body) => ({ body }))
  return (
    <form noValidate onSubmit={submit}>
      <TextField control={form.control} name="username" label="Email" type="email" autoComplete="username" required />
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" required />
      <p role="alert" className="min-h-6 text-destructive">
        {logIn.isError && errorMessage(logIn.error)}
      </p>
      <Button type="submit" pending={logIn.isPending} className="w-full">
        Login
      </Button>
    </form>
  )
}

import { clsx } from 'clsx'
import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { loginLoginAccessTokenMutation } from '@/client/@tanstack/react-query.gen'
import { PasswordField } from '@/components/form/password-field'
import { TextField } from '@/components/form/text-field'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { errorMessage } from '@/lib/api/errors'
import { email, existingPassword } from '@/lib/validation/rules'
import { AuthLink, linkLine, TextLink } from './auth-page'

const schema = z.object({ username: email(), password: existingPassword() })

interface LoginFormProps {
  /** Somebody has begun to fill it in. */
  onBegin: () => void
  /** Gets the new session's access token; until it is done the form counts as being sent. */
  onLogIn: (token: string) => Promise<void>
}

export function LoginForm({ onBegin, onLogIn }: LoginFormProps) {
  const form = useZodForm(schema, { username: '', password: '' })
  const logIn = useMutation({
    ...loginLoginAccessTokenMutation(),
    meta: { failure: 'form' },
    onSuccess: ({ access_token }) => onLogIn(access_token),
  })
  const submit = useSubmit(form, logIn, (body) => ({ body }))
  const { control } = form
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it watches, and does nothing by itself
    <form
      noValidate
      onSubmit={(event) => {
        if (logIn.isError) logIn.reset()
        submit(event)
      }}
      onFocus={onBegin}
    >
      <TextField control={control} name="username" label="Email" type="email" autoComplete="username" required />
      <PasswordField control={control} name="password" label="Password" autoComplete="current-password" required />
      <p role="alert" className="min-h-6 text-destructive">
        {logIn.isError && errorMessage(logIn.error)}
      </p>
      <Button type="submit" pending={logIn.isPending} className="w-full">
        Login
      </Button>
      <p className={clsx(linkLine, 'mt-4')}>
        <TextLink to="/recover-password">Forgot your password?</TextLink>
      </p>
      <AuthLink text="Don't have an account?" to="/signup">
        Sign up
      </AuthLink>
    </form>
  )
}

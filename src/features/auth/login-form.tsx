import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import * as z from 'zod/mini'
import { loginLoginAccessToken } from '@/client/sdk.gen'
import { PasswordField } from '@/components/form/password-field'
import { TextField } from '@/components/form/text-field'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { errorMessage, errorNote } from '@/lib/api/errors'
import { email, existingPassword } from '@/lib/validation/rules'
import { useIsSignUpOpen } from './auth-frame'
import { AuthForm, AuthLink, linkLine, TextLink } from './auth-page'

const schema = z.object({ username: email(), password: existingPassword() })

interface LoginFormProps {
  /** Of who has just signed up. */
  email?: string | undefined
  /** Somebody begins to fill it in. */
  onBegin: () => void
  /** The form counts as being sent until this is done. */
  onLogIn: (token: string) => Promise<void>
}

export function LoginForm({ email: address = '', onBegin, onLogIn }: LoginFormProps) {
  const form = useZodForm(schema, { username: address, password: '' })
  const logIn = useMutation({
    mutationFn: async (body: z.infer<typeof schema>) => {
      const { data } = await loginLoginAccessToken({ body, throwOnError: true })
      await onLogIn(data.access_token)
    },
    meta: { failure: 'form' },
  })
  const submit = useSubmit(form, logIn, (body) => body)
  const isSignUpOpen = useIsSignUpOpen()
  return (
    <AuthForm
      onSubmit={(event) => {
        if (logIn.isError) logIn.reset()
        submit(event)
      }}
      onFocus={onBegin}
    >
      <TextField control={form.control} name="username" label="Email" type="email" autoComplete="username" required />
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" required />
      <p role="alert" className="min-h-6 whitespace-pre-line text-destructive">
        {logIn.isError && [errorMessage(logIn.error), errorNote(logIn.error)].filter(Boolean).join('\n')}
      </p>
      <Button type="submit" pending={logIn.isPending} className="w-full">
        Login
      </Button>
      <p className={clsx(linkLine, 'mt-4')}>
        <TextLink to="/recover-password">Forgot your password?</TextLink>
      </p>
      {isSignUpOpen && (
        <AuthLink text="Don't have an account?" to="/signup">
          Sign up
        </AuthLink>
      )}
    </AuthForm>
  )
}

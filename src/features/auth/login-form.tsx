import * as z from 'zod/mini'
import { loginLoginAccessToken } from '@/client/sdk.gen'
import { PasswordField } from '@/components/form/password-field'
import { TextField } from '@/components/form/text-field'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { errorMessage, errorNote } from '@/lib/api/errors'
import { beginSession } from '@/lib/session'
import { useStore } from '@/lib/store'
import { email, existingPassword } from '@/lib/validation/rules'
import { AuthForm, AuthLink, TextLink } from './auth-page'
import { isSignUpOpen } from './sign-up'

const schema = z.object({ username: email(), password: existingPassword() })

interface LoginFormProps {
  /** Set after sign-up. */
  email?: string | undefined
  /** Called at the first input. */
  onBegin: () => void
}

export function LoginForm({ email: address = '', onBegin }: LoginFormProps) {
  const form = useZodForm(schema, { username: address, password: '' })
  const logIn = useSubmit(form, {
    mutationFn: async (body) => {
      const { data } = await loginLoginAccessToken({ body })
      // The form is pending until the application has updated.
      await beginSession(data.access_token)
    },
    meta: { failure: 'form' },
  })
  const isOpen = useStore(isSignUpOpen)
  return (
    <AuthForm
      form={form}
      onSubmit={(event) => {
        if (logIn.error) logIn.reset()
        logIn.onSubmit(event)
      }}
      onFocus={onBegin}
    >
      <TextField control={form.control} name="username" label="Email" type="email" autoComplete="username" required />
      <div className="relative">
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          footnote={
            <p role="alert" className="whitespace-pre-line">
              {logIn.error && [errorMessage(logIn.error), errorNote(logIn.error)].filter(Boolean).join('\n')}
            </p>
          }
        />
        {/* On the label's line, and after the field for the Tab key. */}
        <p className="absolute -top-1 right-0 pointer-coarse:-top-3 [&_a]:inline-block [&_a]:py-1 pointer-coarse:[&_a]:py-3">
          <TextLink to="/recover-password">Forgot your password?</TextLink>
        </p>
      </div>
      <Button type="submit" pending={logIn.pending} className="mt-2 w-full">
        Login
      </Button>
      <AuthLink text="Don't have an account?" to="/signup" isHidden={!isOpen}>
        Sign up
      </AuthLink>
    </AuthForm>
  )
}

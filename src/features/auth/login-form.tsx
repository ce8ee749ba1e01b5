import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId } from 'react'
import { loginLoginAccessTokenMutation } from '@/client/@tanstack/react-query.gen'
import { useSubmit } from '@/components/form/use-submit'
import { useTextForm } from '@/components/form/use-text-form'
import { Button } from '@/components/ui/button'
import { FieldFrame } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PasswordInput } from '@/components/ui/password-input'
import { errorMessage } from '@/lib/api/errors'
import { emailRules, existingPasswordRules, tidyAddress } from '@/lib/validation/text-rules'
import { AuthLink, linkLine, TextLink } from './auth-page'

interface LoginFormProps {
  /** Somebody has begun to fill it in. */
  onBegin: () => void
  /** Gets the new session's access token; until it is done the form counts as being sent. */
  onLogIn: (token: string) => Promise<void>
}

/** A password counts as it is. */
const fields = { username: { rules: emailRules, tidy: tidyAddress }, password: { rules: existingPasswordRules } }

export function LoginForm({ onBegin, onLogIn }: LoginFormProps) {
  const id = useId()
  const form = useTextForm(fields)
  const logIn = useMutation({
    ...loginLoginAccessTokenMutation(),
    meta: { failure: 'form' },
    onSuccess: ({ access_token }) => onLogIn(access_token),
  })
  const submit = useSubmit(form, logIn, (body) => ({ body }))
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
      <FieldFrame id={`${id}-username`} label="Email" required messages={form.messagesOf('username')}>
        {(state) => (
          <Input {...form.register('username')} {...state} id={`${id}-username`} type="email" autoComplete="username" />
        )}
      </FieldFrame>
      <FieldFrame id={`${id}-password`} label="Password" required messages={form.messagesOf('password')}>
        {(state) => (
          <PasswordInput
            {...form.register('password')}
            {...state}
            id={`${id}-password`}
            autoComplete="current-password"
          />
        )}
      </FieldFrame>
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

import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId, useRef } from 'react'
import { loginLoginAccessTokenMutation } from '@/client/@tanstack/react-query.gen'
import { Button } from '@/components/ui/button'
import { FieldFrame } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PasswordInput } from '@/components/ui/password-input'
import { errorMessage, refusedFields } from '@/lib/api/errors'
import { AuthLink, linkLine, TextLink } from './auth-page'
import { focusField, useLoginFields } from './use-login-fields'

interface LoginFormProps {
  /** Somebody has begun to fill it in. */
  onBegin: () => void
  /** Gets the new session's access token; until it is done the form counts as being sent. */
  onLogIn: (token: string) => Promise<void>
}

export function LoginForm({ onBegin, onLogIn }: LoginFormProps) {
  const id = useId()
  const { messages, register, take } = useLoginFields()
  const logIn = useMutation({
    ...loginLoginAccessTokenMutation(),
    meta: { failure: 'form' },
    onSuccess: ({ access_token }) => onLogIn(access_token),
  })
  // Not the mutation's state, which a second press may still see as it was.
  const underWay = useRef(false)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it watches, and does nothing by itself
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (underWay.current) return
        if (logIn.isError) logIn.reset()
        const body = take(event)
        if (!body) return
        underWay.current = true
        const form = event.currentTarget
        logIn.mutate(
          { body },
          {
            onError: (error) => focusField(form, refusedFields(error)[0] ?? ''),
            onSettled: () => (underWay.current = false),
          },
        )
      }}
      onFocus={onBegin}
    >
      <FieldFrame id={`${id}-username`} label="Email" required messages={messages.username}>
        {(state) => (
          <Input {...register('username')} {...state} id={`${id}-username`} type="email" autoComplete="username" />
        )}
      </FieldFrame>
      <FieldFrame id={`${id}-password`} label="Password" required messages={messages.password}>
        {(state) => (
          <PasswordInput {...register('password')} {...state} id={`${id}-password`} autoComplete="current-password" />
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

import { useNavigate } from '@tanstack/react-router'
import { setArrival } from '@/lib/arrival'
import { useStore } from '@/lib/store'
import { AuthLink, AuthPage } from './auth-page'
import { isSignUpOpen } from './sign-up'
import { SignupForm } from './signup-form'

export function SignupPage() {
  const navigate = useNavigate()
  const isOpen = useStore(isSignUpOpen)
  if (!isOpen)
    return (
      <AuthPage title="Sign Up" text="Sign-up is closed. Please ask an administrator for an account.">
        <AuthLink text="Already have an account?" to="/login">
          Log In
        </AuthLink>
      </AuthPage>
    )
  return (
    <AuthPage title="Sign Up" text="Enter your details below to create an account.">
      <SignupForm
        onSignUp={(email) => {
          setArrival({ reason: 'signed-up', email })
          return navigate({ to: '/login' })
        }}
      />
    </AuthPage>
  )
}

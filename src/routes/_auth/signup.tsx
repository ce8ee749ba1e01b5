import { createFileRoute } from '@tanstack/react-router'
import { useIsSignUpOpen } from '@/features/auth/auth-frame'
import { AuthLink, AuthPage } from '@/features/auth/auth-page'
import { setArrival } from '@/lib/arrival'
import { SignupForm } from '@/features/auth/signup-form'

export const Route = createFileRoute('/_auth/signup')({
  staticData: { title: 'Sign up' },
  component: SignupPage,
})

function SignupPage() {
  const navigate = Route.useNavigate()
  const isOpen = useIsSignUpOpen()
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

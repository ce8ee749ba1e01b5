import { createFileRoute } from '@tanstack/react-router'
import { AuthPage } from '@/features/auth/auth-page'
import { SignupForm } from '@/features/auth/signup-form'

export const Route = createFileRoute('/_auth/signup')({
  staticData: { title: 'Sign up' },
  component: SignupPage,
})

function SignupPage() {
  const navigate = Route.useNavigate()
  return (
    <AuthPage title="Sign Up" text="Enter your details below to create an account.">
      <SignupForm onSignUp={() => navigate({ to: '/login' })} />
    </AuthPage>
  )
}

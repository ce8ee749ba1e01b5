import { createFileRoute } from '@tanstack/react-router'
import { AuthPage } from '@/features/auth/auth-page'
import { LoginForm } from '@/features/auth/login-form'
import { beginSession } from '@/lib/session'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Log in' },
  component: LoginPage,
})

function LoginPage() {
  const navigate = Route.useNavigate()
  return (
    <AuthPage title="Login to your account">
      <LoginForm
        onLogIn={async (token) => {
          beginSession(token)
          await navigate({ to: '/' })
        }}
      />
    </AuthPage>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { LoginForm } from '@/features/auth/login-form'
import { beginSession } from '@/lib/session'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Log in' },
  component: LoginPage,
})

function LoginPage() {
  const navigate = Route.useNavigate()
  return (
    <>
      <h1 tabIndex={-1} className="mb-6 text-xl font-semibold">
        Login to your account
      </h1>
      <LoginForm
        onLogIn={async (token) => {
          beginSession(token)
          await navigate({ to: '/' })
        }}
      />
    </>
  )
}

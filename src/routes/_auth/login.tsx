import { createFileRoute, useRouter } from '@tanstack/react-router'
import { AuthPage } from '@/features/auth/auth-page'
import { LoginForm } from '@/features/auth/login-form'
import { beginSession } from '@/lib/session'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Log in' },
  component: LoginPage,
})

function LoginPage() {
  const router = useRouter()
  return (
    <AuthPage title="Login to your account">
      <LoginForm
        onBegin={() => {
          // The dashboard's code loads while the person types.
          void router.loadRouteChunk(router.routesByPath['/'])
          void router.loadRouteChunk(router.routesById['/_layout'])
        }}
        onLogIn={beginSession}
      />
    </AuthPage>
  )
}

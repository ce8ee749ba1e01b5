import { createFileRoute, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthPage } from '@/features/auth/auth-page'
import { LoginForm } from '@/features/auth/login-form'
import { readArrival } from '@/lib/arrival'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Log in' },
  component: LoginPage,
})

const notices = {
  'signed-up': 'Account created. Log in to continue.',
  'session-ended': 'Your session has ended. Log in again.',
}

function LoginPage() {
  const router = useRouter()
  const [{ reason, email }] = useState(readArrival)
  return (
    <AuthPage title="Login to your account" notice={reason && notices[reason]}>
      <LoginForm
        email={email}
        onBegin={() => {
          // The dashboard's code loads while the user types.
          void router.loadRouteChunk(router.routesByPath['/'])
          void router.loadRouteChunk(router.routesById['/_layout'])
        }}
      />
    </AuthPage>
  )
}

import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { readArrival } from '@/lib/arrival'
import { AuthPage } from './auth-page'
import { LoginForm } from './login-form'

const notices = {
  'signed-up': 'Account created. Log in to continue.',
  'session-ended': 'Your session has ended. Log in again.',
}

export function LoginPage() {
  const router = useRouter()
  const [{ reason, email }] = useState(readArrival)
  return (
    <AuthPage title="Login to your account" notice={reason && notices[reason]}>
      <LoginForm
        email={email}
        // The shell's code loads while the user types. A failure is reported when it is needed.
        onBegin={() => void router.loadRouteChunk(router.routesById['/_layout'])?.catch(() => undefined)}
      />
    </AuthPage>
  )
}

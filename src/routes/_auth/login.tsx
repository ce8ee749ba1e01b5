import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Log in' },
  component: lazyPage(async () => {
    const [{ LoginPage }, { PasskeyLogIn }] = await Promise.all([
      import('@/features/auth/login-page'),
      import('@/features/passkeys/passkey-log-in'),
    ])
    return function Page() {
      return (
        <LoginPage>
          <PasskeyLogIn />
        </LoginPage>
      )
    }
  }),
})

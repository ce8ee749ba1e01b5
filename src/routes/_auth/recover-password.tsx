import { createFileRoute } from '@tanstack/react-router'
import { AuthPage } from '@/features/auth/auth-page'
import { RecoverPasswordForm } from '@/features/auth/recover-password-form'

export const Route = createFileRoute('/_auth/recover-password')({
  staticData: { title: 'Recover password' },
  component: () => (
    <AuthPage title="Password Recovery" text="A password recovery email will be sent to the registered account.">
      <RecoverPasswordForm />
    </AuthPage>
  ),
})

import { AuthPage } from './auth-page'
import { RecoverPasswordForm } from './recover-password-form'

export function RecoverPasswordPage() {
  return (
    <AuthPage title="Password Recovery" text="A password recovery email will be sent to the registered account.">
      <RecoverPasswordForm />
    </AuthPage>
  )
}

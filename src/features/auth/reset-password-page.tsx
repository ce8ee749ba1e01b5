import { useNavigate, useSearch } from '@tanstack/react-router'
import { AuthPage } from './auth-page'
import { ResetPasswordForm } from './reset-password-form'

export function ResetPasswordPage() {
  const { token } = useSearch({ from: '/_auth/reset-password' })
  const navigate = useNavigate()
  return (
    <AuthPage title="Reset Password">
      <ResetPasswordForm token={token} onReset={() => navigate({ to: '/login' })} />
    </AuthPage>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { AuthPage } from '@/features/auth/auth-page'
import { ResetPasswordForm } from '@/features/auth/reset-password-form'
import { toToken } from '@/lib/token'

export const Route = createFileRoute('/_auth/reset-password')({
  staticData: { title: 'Reset password' },
  validateSearch: toToken,
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  const { token } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AuthPage title="Reset Password">
      <ResetPasswordForm token={token} onReset={() => navigate({ to: '/login' })} />
    </AuthPage>
  )
}

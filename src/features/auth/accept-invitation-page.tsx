import { useNavigate, useSearch } from '@tanstack/react-router'
import { AcceptInvitationForm } from './accept-invitation-form'
import { AuthPage } from './auth-page'

export function AcceptInvitationPage() {
  const { token } = useSearch({ from: '/_auth/accept-invitation' })
  const navigate = useNavigate()
  return (
    <AuthPage title="Welcome" text="Choose a password for your account.">
      <AcceptInvitationForm token={token} onAccept={() => navigate({ to: '/login' })} />
    </AuthPage>
  )
}

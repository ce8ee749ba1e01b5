import { createFileRoute } from '@tanstack/react-router'
import { AcceptInvitationForm } from '@/features/auth/accept-invitation-form'
import { AuthPage } from '@/features/auth/auth-page'
import { toToken } from '@/lib/token'

export const Route = createFileRoute('/_auth/accept-invitation')({
  staticData: { title: 'Welcome' },
  validateSearch: toToken,
  component: AcceptInvitationPage,
})

function AcceptInvitationPage() {
  const { token } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AuthPage title="Welcome" text="Choose a password for your account.">
      <AcceptInvitationForm token={token} onAccept={() => navigate({ to: '/login' })} />
    </AuthPage>
  )
}

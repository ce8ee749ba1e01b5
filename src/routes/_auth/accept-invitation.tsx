import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { toToken } from '@/lib/token'

export const Route = createFileRoute('/_auth/accept-invitation')({
  staticData: { title: 'Welcome' },
  validateSearch: toToken,
  component: lazyPage(async () => (await import('@/features/auth/accept-invitation-page')).AcceptInvitationPage),
})

import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { currentUserOptions } from '@/data/api/current-user'
import { getToken } from '@/data/session'
import { toToken } from '@/lib/token'

export const Route = createFileRoute('/_auth/accept-invitation')({
  staticData: { title: 'Welcome' },
  validateSearch: toToken,
  // The guard of the layout has read the user.
  beforeLoad: ({ context: { queryClient } }) => ({
    loggedInAs: getToken() === null ? undefined : queryClient.getQueryData(currentUserOptions.queryKey)?.email,
  }),
  component: lazyPage(async () => (await import('@/features/auth/accept-invitation-page')).AcceptInvitationPage),
})

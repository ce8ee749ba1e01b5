import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { currentUserOptions } from '@/data/api/current-user'
import { getToken } from '@/data/session'
import { tokenSearch } from '@/lib/search-params'

export const Route = createFileRoute('/_auth/accept-invitation')({
  staticData: screens['/accept-invitation'],
  validateSearch: tokenSearch,
  // The guard of the parent route has read the user.
  beforeLoad: ({ context: { queryClient } }) => ({
    loggedInAs: getToken() === null ? undefined : queryClient.getQueryData(currentUserOptions.queryKey)?.email,
  }),
  component: lazyPage(async () => (await import('@/features/auth/accept-invitation-page')).AcceptInvitationPage),
})

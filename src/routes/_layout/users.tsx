import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { usersQuery } from '@/features/users/users-queries'
import { toUsersQuery, usersDialogs, usersSearch } from '@/features/users/users-search'
import { mayReadAhead } from '@/data/read-ahead'

export const Route = createFileRoute('/_layout/users')({
  staticData: { ...screens['/users'], dialogs: Object.keys(usersDialogs) },
  validateSearch: usersSearch,
  loaderDeps: ({ search }) => toUsersQuery(search),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayReadAhead()) void context.queryClient.prefetchQuery(usersQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/users/users-page')).UsersPage),
})

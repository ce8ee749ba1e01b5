import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { usersList } from '@/features/users/users-list'
import { mayPrefetch } from '@/data/prefetch'

export const Route = createFileRoute('/_layout/users')({
  staticData: { ...screens['/users'], icon: usersList.icon, dialogs: Object.keys(usersList.dialogs) },
  validateSearch: usersList.search,
  loaderDeps: ({ search }) => usersList.toQuery(search),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayPrefetch()) void context.queryClient.prefetchQuery(usersList.page(deps))
  },
  component: lazyPage(async () => (await import('@/features/users/users-page')).UsersPage),
})

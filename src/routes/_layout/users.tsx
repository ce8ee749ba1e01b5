import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { usersQuery } from '@/features/users/users-queries'
import { readUsersSearch, userList } from '@/features/users/users-search'
import { mayReadAhead } from '@/data/read-ahead'

export const Route = createFileRoute('/_layout/users')({
  staticData: { title: 'Users', isForSuperusers: true, isEmptyAtFirst: true },
  validateSearch: readUsersSearch,
  loaderDeps: ({ search }) => userList.toQuery({ ...search }),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayReadAhead()) void context.queryClient.prefetchQuery(usersQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/users/users-page')).UsersPage),
})

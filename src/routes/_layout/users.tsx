import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { usersQuery } from '@/features/users/users-query'
import { userList } from '@/lib/lists'
import { superusersOnly } from '@/lib/superusers-only'

export const Route = createFileRoute('/_layout/users')({
  staticData: { title: 'Users' },
  validateSearch: userList.toSearch,
  loaderDeps: ({ search }) => userList.toQuery({ ...search }),
  beforeLoad: superusersOnly,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(usersQuery(deps)),
  component: lazyPage(async () => (await import('@/features/users/users-page')).UsersPage),
})

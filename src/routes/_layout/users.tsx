import { createFileRoute, redirect } from '@tanstack/react-router'
import { UsersPage } from '@/features/users/users-page'
import { usersQuery } from '@/features/users/users-query'
import { currentUserOptions } from '@/lib/api/current-user'
import { userList } from '@/lib/lists'

export const Route = createFileRoute('/_layout/users')({
  staticData: { title: 'Users' },
  validateSearch: userList.toSearch,
  loaderDeps: ({ search }) => userList.toQuery({ ...search }),
  // Before the list is asked for: its 403 would end the session of a regular user.
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(currentUserOptions)
    if (!user.is_superuser) throw redirect({ to: '/', replace: true })
  },
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(usersQuery(deps)),
  component: UsersPage,
})

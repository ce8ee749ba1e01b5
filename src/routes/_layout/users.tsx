import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router'
import { UsersPage } from '@/features/users/users-page'
import { usersPageOptions } from '@/features/users/users-query'
import { currentUserOptions } from '@/lib/api/current-user'
import { toPage } from '@/lib/paging'

export const Route = createFileRoute('/_layout/users')({
  staticData: { title: 'Users' },
  validateSearch: ({ page }): { page?: number } => (page === undefined ? {} : { page: toPage(page) }),
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  // Before the list is asked for: its 403 would end the session of a regular user.
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(currentUserOptions)
    if (!user.is_superuser) throw redirect({ to: '/', replace: true })
  },
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(usersPageOptions(deps.page)),
  component: Users,
})

const layout = getRouteApi('/_layout')

function Users() {
  const { page = 1 } = Route.useSearch()
  return <UsersPage page={page} ownId={layout.useLoaderData().id} />
}

import { createFileRoute, getRouteApi } from '@tanstack/react-router'

export const Route = createFileRoute('/_layout/')({
  staticData: { title: 'Dashboard' },
  component: Dashboard,
})

const layout = getRouteApi('/_layout')

function Dashboard() {
  const user = layout.useLoaderData()
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight break-words">
        Hi, {user.full_name || user.email}
      </h1>
      <p className="mt-1 text-muted-foreground">Welcome back, nice to see you again!</p>
    </>
  )
}

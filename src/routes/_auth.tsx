import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { AuthFrame } from '@/features/auth/auth-frame'
import { getToken } from '@/lib/session'

/** Pages for people who are not signed in; everyone else is sent on. */
export const Route = createFileRoute('/_auth')({
  beforeLoad: () => {
    if (getToken() !== null) throw redirect({ to: '/', replace: true })
  },
  component: () => (
    <AuthFrame>
      <Outlet />
    </AuthFrame>
  ),
})

import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { currentUserOptions } from './api/current-user'

/** Guards a route before its requests, because a 403 would end the session of a regular user. */
export async function superusersOnly({ context }: { context: { queryClient: QueryClient } }): Promise<void> {
  const user = await context.queryClient.ensureQueryData(currentUserOptions)
  if (!user.is_superuser) throw redirect({ to: '/', replace: true })
}

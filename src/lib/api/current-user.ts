import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { usersReadUserMe } from '@/client/sdk.gen'
import { getToken } from '../session'

/** The signed-in account, under the key that SPEC 9 names. Asked for only where there is a token. */
export const currentUserOptions = queryOptions({
  queryKey: ['currentUser'],
  queryFn: async ({ signal }) => {
    const { data } = await usersReadUserMe({ signal, throwOnError: true })
    return data
  },
  // A page that a session is about to leave does not ask again.
  enabled: () => getToken() !== null,
})

/** Whether the stored token still holds, asked of the API now; a token that does not is dropped on the way. */
export async function isSessionAlive(queryClient: QueryClient): Promise<boolean> {
  try {
    await queryClient.fetchQuery({ ...currentUserOptions, staleTime: 0 })
    return true
  } catch {
    return false
  }
}

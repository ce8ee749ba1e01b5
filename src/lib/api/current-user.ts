import { queryOptions } from '@tanstack/react-query'
import { usersReadUserMe } from '@/client/sdk.gen'

/** The signed-in account, under the key that SPEC 9 names. Asked for only where there is a token. */
export const currentUserOptions = queryOptions({
  queryKey: ['currentUser'],
  queryFn: async ({ signal }) => {
    const { data } = await usersReadUserMe({ signal, throwOnError: true })
    return data
  },
})

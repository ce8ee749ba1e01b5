import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { usersReadUserMe } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { getToken } from '../session'

export const currentUserOptions = queryOptions({
  queryKey: ['currentUser'] as readonly unknown[],
  queryFn: async ({ signal }) => (await usersReadUserMe({ signal })).data,
  enabled: () => getToken() !== null,
})

export const CurrentUserContext = createContext<UserPublic | null>(null)

export function useCurrentUser(): UserPublic {
  const user = useContext(CurrentUserContext)
  if (!user) throw new Error('useCurrentUser is for pages of the signed-in layout')
  return user
}

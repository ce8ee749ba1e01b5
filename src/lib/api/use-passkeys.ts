import { queryOptions, useQuery } from '@tanstack/react-query'
import { instanceReadInstanceOptions, usersReadPasskeysOptions } from '@/client/@tanstack/react-query.gen'
import { canUsePasskeys } from '../passkeys'
import { hasExtensions, useCurrentUser } from './current-user'

export const ownPasskeys = queryOptions(usersReadPasskeysOptions())

/** Whether passkeys can be used here. Not asked of back ends that have none. */
export function useHasPasskeys(): boolean {
  const enabled = hasExtensions(useCurrentUser())
  const { data } = useQuery({ ...instanceReadInstanceOptions(), enabled, staleTime: Infinity })
  return data?.passkeys === true && canUsePasskeys()
}

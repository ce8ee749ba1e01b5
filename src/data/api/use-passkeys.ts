import { queryOptions } from '@tanstack/react-query'
import { usersReadPasskeysOptions } from '@/client/@tanstack/react-query.gen'
import { canUsePasskeys } from './instance'
import { useInstance } from './use-instance'

export const ownPasskeys = queryOptions(usersReadPasskeysOptions())

/** Whether passkeys can be used here. */
export function useHasPasskeys(): boolean {
  return useInstance().data?.passkeys === true && canUsePasskeys()
}

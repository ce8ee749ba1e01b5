import { useQuery } from '@tanstack/react-query'
import { usersReadOwnSecondFactorOptions } from '@/client/@tanstack/react-query.gen'
import { useInstance } from './use-instance'

/** Whether the back end has two-step log-in. */
export function useHasSecondFactor(): boolean {
  return useInstance().data?.second_factor !== undefined
}

export function useOwnSecondFactor() {
  const enabled = useHasSecondFactor()
  return useQuery({ ...usersReadOwnSecondFactorOptions(), enabled })
}

/** Whether the account has an authenticator app; `undefined` while that is not known. */
export function useHasApp(): boolean | undefined {
  const { isLoading, data } = useInstance()
  const enabled = data?.second_factor !== undefined
  // It may have changed on another device. If this fails, the server refuses the password.
  const query = useQuery({ ...usersReadOwnSecondFactorOptions(), enabled, staleTime: 0, retry: false })
  return isLoading || query.isLoading ? undefined : query.data?.totp === true
}

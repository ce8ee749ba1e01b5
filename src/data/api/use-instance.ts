import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Instance, OidcProvider } from '@/client/types.gen'
import { useCapabilities } from './capabilities'
import { instanceOptions } from './instance'

/** Empty on back ends without administration. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = useCapabilities().has('administration')
  return useQuery({ ...instanceOptions, enabled })
}

export const useProvider = (): OidcProvider | undefined => useInstance().data?.oidc ?? undefined

/** Whether the server sends mails. Without mail, superusers copy links, such as those of invitations. */
export const useHasMail = (): boolean => useInstance().data?.mail !== false

export const NO_MAIL_SERVER = 'There is no mail server.'

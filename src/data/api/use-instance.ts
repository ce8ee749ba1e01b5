import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Instance, OidcProvider } from '@/client/types.gen'
import { useCapabilities } from './capabilities'
import { instanceOptions } from './instance'

/** Empty on back ends without administration. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = useCapabilities().has('administration')
  return useQuery({ ...instanceOptions, enabled })
}

export function useProvider(): OidcProvider | undefined {
  return useInstance().data?.oidc ?? undefined
}

/** Whether the server mails links. Otherwise superusers copy them. */
export function useHasMail(): boolean {
  return useInstance().data?.mail !== false
}

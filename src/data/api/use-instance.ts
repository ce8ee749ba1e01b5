import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Instance, OidcProvider } from '@/client/types.gen'
import { useCapabilities } from './capabilities'
import { instanceOptions } from './instance'

/** What the back end offers, which those without administration do not say. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = useCapabilities().has('administration')
  return useQuery({ ...instanceOptions, enabled })
}

/** The provider of company accounts, if the back end has one. */
export function useProvider(): OidcProvider | undefined {
  return useInstance().data?.oidc ?? undefined
}

/** Whether links are mailed, and not handed over. Back ends that hand none over omit the field. */
export function useHasMail(): boolean {
  return useInstance().data?.mail !== false
}

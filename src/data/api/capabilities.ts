import { type QueryClient, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import type { Instance, UserPublic } from '@/client/types.gen'
import { currentUserOptions } from './current-user'
import { canUsePasskeys, instanceOptions } from './instance'

export type Capability = keyof ReturnType<typeof offersOf>

export interface NeedsCapability {
  needs?: Capability | undefined
}

export const CapabilitiesContext = createContext<ReadonlySet<Capability>>(new Set())

export const useCapabilities = (): ReadonlySet<Capability> => useContext(CapabilitiesContext)

/** The array stays the same until its content changes, so that rows do not render again. */
export function useOffered<Of extends object>(all: readonly (Of & NeedsCapability)[]): readonly Of[] {
  const capabilities = useCapabilities()
  return useMemo(() => {
    const offered = all.filter(({ needs }) => !needs || capabilities.has(needs))
    return offered.length === all.length ? all : offered
  }, [all, capabilities])
}

export function useReadCapabilities(user: UserPublic | undefined): ReadonlySet<Capability> {
  const { data: instance } = useQuery({ ...instanceOptions, enabled: isAdministered(user) })
  const names = namesOf(user, instance).join()
  return useMemo(() => new Set(names.split(',') as Capability[]), [names])
}

export const knownCapabilities = (queryClient: QueryClient): ReadonlySet<Capability> =>
  new Set(
    namesOf(queryClient.getQueryData(currentUserOptions.queryKey), queryClient.getQueryData(instanceOptions.queryKey)),
  )

/** Back ends with only the 20 operations of the SPEC omit this field. */
const isAdministered = (user: UserPublic | undefined): boolean => user?.is_invited !== undefined

/** What a back end may offer beyond the 20 operations that every back end has. */
function offersOf(user: UserPublic | undefined, instance: Partial<Instance> = {}) {
  const { passkeys = false, second_factor, oidc, confirm_email = false, password_log_in = true } = instance
  return {
    /** Invitations, sessions, API tokens, exports, bulk changes and the audit log. */
    administration: isAdministered(user),
    activity: user?.last_active_at !== undefined,
    passwords: password_log_in,
    passkeys: passkeys && canUsePasskeys(),
    'second-factor': second_factor !== undefined,
    'company-accounts': Boolean(oidc),
    'confirmed-addresses': confirm_email,
  }
}

const namesOf = (...known: Parameters<typeof offersOf>) =>
  Object.entries(offersOf(...known)).flatMap(([name, isOffered]) => (isOffered ? (name as Capability) : []))

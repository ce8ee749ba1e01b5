import type { QueryClient } from '@tanstack/react-query'
import { instanceOptions } from '@/data/api/instance'
import { dropHandover, readHandover } from '@/data/handover'
import { providerErrorText } from '@/data/provider-errors'
import { toast } from '@/data/toast'

/** Says why a way to the provider, from a page of a session, led to nothing. */
export async function reportProviderError(queryClient: QueryClient): Promise<void> {
  const { oidc_error } = readHandover()
  // A code for the log-in page is worth nothing in a session.
  dropHandover()
  if (oidc_error === undefined) return
  const instance = await queryClient.ensureQueryData(instanceOptions).catch(() => undefined)
  toast.error(providerErrorText(oidc_error, instance?.oidc?.name))
}

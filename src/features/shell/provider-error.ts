import type { QueryClient } from '@tanstack/react-query'
import { instanceOptions } from '@/data/api/instance'
import { providerErrorText } from '@/data/provider-errors'
import { toast } from '@/browser/toast'

export async function reportProviderError(queryClient: QueryClient, code: string): Promise<void> {
  const instance = await queryClient.ensureQueryData(instanceOptions).catch(() => undefined)
  toast.error(providerErrorText(code, instance?.oidc?.name))
}

import type { CreateClientConfig } from '@/client/client.gen'

export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  baseUrl: import.meta.env.VITE_API_URL || (import.meta.env.SSR ? '' : window.location.origin),
  credentials: 'include',
})

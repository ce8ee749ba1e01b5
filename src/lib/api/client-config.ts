import type { CreateClientConfig } from '@/client/client.gen'
import { fetchOrTakeAnswer } from './first-requests'

export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  baseUrl: import.meta.env.VITE_API_URL || (import.meta.env.SSR ? '' : window.location.origin),
  credentials: 'include',
  fetch: fetchOrTakeAnswer,
})

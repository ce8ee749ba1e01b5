import type { Instance } from '@/client/types.gen'

export type LogInMethods = Partial<Pick<Instance, 'oidc' | 'password_log_in'>>

/** Names of prerendered variants of `/login`. They must begin with this path. */
export const withCompany = '/login company'
export const companyOnly = '/login company-only'

const nothing: LogInMethods = {}
let read = { content: '', ways: nothing }

/** Reads what the server has written into the page (server/platform/http/plugins/spa.ts). */
export function logInMethodsOfPage(): LogInMethods {
  const content = document.querySelector<HTMLMetaElement>('meta[name=log-in-ways]')?.content ?? ''
  // `useSyncExternalStore` needs the same object until the value changes.
  if (content !== read.content)
    read = { content, ways: content === '' ? nothing : (JSON.parse(content) as LogInMethods) }
  return read.ways
}

export const companyLabel = (name: string): string => `Log in with ${name}`

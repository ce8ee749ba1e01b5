import type { Instance } from '@/client/types.gen'

/** What is known of the instance before its API answers. Empty where another back end serves the page. */
export type PageInstance = Partial<Pick<Instance, 'oidc' | 'password_log_in' | 'mail'>>

/** Names of prerendered variants of `/login`. They must begin with this path. */
export const withCompany = '/login company'
export const companyOnly = '/login company-only'

const nothing: PageInstance = {}
let read = { content: '', instance: nothing }

/** Reads what the server has written into the page (server/platform/http/plugins/spa.ts). */
export function instanceOfPage(): PageInstance {
  const content = document.querySelector<HTMLMetaElement>('meta[name=instance]')?.content ?? ''
  // `useSyncExternalStore` needs the same object until the value changes.
  if (content !== read.content)
    read = { content, instance: content === '' ? nothing : (JSON.parse(content) as PageInstance) }
  return read.instance
}

export const companyLabel = (name: string): string => `Log in with ${name}`

import type { Instance } from '@/client/types.gen'

/** How people log in, as far as the first paint of /login depends on it. */
export type LogInWays = Partial<Pick<Instance, 'oidc' | 'password_log_in'>>

/** The names of the prerendered log-in pages, besides `/login`. They begin with its path. */
export const withCompany = '/login company'
export const companyOnly = '/login company-only'

const nothing: LogInWays = {}
let read = { content: '', ways: nothing }

/** What the server says in its page, before it answers a request: server/platform/http/plugins/spa.ts. */
export function waysOfPage(): LogInWays {
  const content = document.querySelector<HTMLMetaElement>('meta[name=log-in-ways]')?.content ?? ''
  // The same object for the same page.
  if (content !== read.content) read = { content, ways: content === '' ? nothing : (JSON.parse(content) as LogInWays) }
  return read.ways
}

/** The text of the link to the provider. */
export function companyLabel(name: string): string {
  return `Log in with ${name}`
}

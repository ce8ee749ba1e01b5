import { vi } from 'vitest'

/** Replaces `location.assign`, which jsdom does not implement. @returns the mock */
export function stubNavigation() {
  const { href, origin, pathname, search, hash } = window.location
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', { href, origin, pathname, search, hash, assign })
  return assign
}

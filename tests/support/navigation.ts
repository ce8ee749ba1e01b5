import { vi } from 'vitest'

export function stubNavigation() {
  const { href, origin, pathname, search, hash } = window.location
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', { href, origin, pathname, search, hash, assign })
  return assign
}

const NAME = 'sidebar_state'
const LIFETIME_SECONDS = 7 * 24 * 60 * 60

export function readSidebarExpanded(): boolean {
  const saved = new RegExp(`(?:^|; )${NAME}=(\\w+)`).exec(document.cookie)?.[1]
  return saved === undefined ? !matchMedia('(max-width: 1023.98px)').matches : saved === 'true'
}

export function saveSidebarExpanded(expanded: boolean): void {
  document.cookie = `${NAME}=${expanded}; path=/; max-age=${LIFETIME_SECONDS}; samesite=lax`
}

const NAME = 'sidebar_state'
const LIFETIME_SECONDS = 7 * 24 * 60 * 60

/** Whether the sidebar is expanded, as it was left the last time; expanded at first (SPEC 3, 9). */
export function readSidebarExpanded(): boolean {
  return !document.cookie.split('; ').includes(`${NAME}=false`)
}

export function saveSidebarExpanded(expanded: boolean): void {
  document.cookie = `${NAME}=${expanded}; path=/; max-age=${LIFETIME_SECONDS}; samesite=lax`
}

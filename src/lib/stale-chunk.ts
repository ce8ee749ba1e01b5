import { hasDirtyForm } from './drafts'

const KEY = 'reloaded_for'

/**
 * After a deploy the chunks that an open page knows of are gone. Loads the page again, once for each missing chunk, at the
 * address that was asked for; not over a form that somebody is filling in. Then the route's error panel is shown instead.
 * @param target where a navigation under way leads; `null`: none is (a preload of something that may never be needed)
 */
export function reloadOnStaleChunk(target: () => string | null): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const href = target()
    if (href === null || hasDirtyForm() || sessionStorage.getItem(KEY) === payload.message) return
    sessionStorage.setItem(KEY, payload.message)
    window.location.assign(href)
  })
}

import { hasUnsavedText } from './drafts'
import { store, tryStorage } from '@/browser/try-storage'

const KEY = 'reloaded-for'

/** If code fails to load although the server responds, the page is outdated. @returns whether it reloads */
export async function reloadWhereOutdated(error: unknown): Promise<boolean> {
  // Several parts of a page can fail at the same time.
  reloading ??= reloadOnce(error)
  const isReloading = await reloading
  if (!isReloading) reloading = undefined
  return isReloading
}

let reloading: Promise<boolean> | undefined

async function reloadOnce(error: unknown): Promise<boolean> {
  const fault = String(error)
  if (hasUnsavedText() || tryStorage(() => sessionStorage.getItem(KEY)) === fault || !(await isServed())) return false
  // Without storage, the page could reload endlessly.
  if (!store('sessionStorage', KEY, fault)) return false
  location.reload()
  return true
}

export async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

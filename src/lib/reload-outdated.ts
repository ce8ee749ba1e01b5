import { hasDirtyForm } from './drafts'

const KEY = 'reloaded-for'

/**
 * Code that does not load although the server answers belongs to an older version. Reloads the page then: once for the same
 * fault, and never over typed text.
 * @returns whether the page reloads
 */
export async function reloadWhereOutdated(error: unknown): Promise<boolean> {
  const fault = String(error)
  if (hasDirtyForm() || sessionStorage.getItem(KEY) === fault || !(await isServed())) return false
  sessionStorage.setItem(KEY, fault)
  location.reload()
  return true
}

/** Whether the server that this page is from answers. */
export async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

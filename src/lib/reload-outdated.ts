import { hasDirtyForm } from './drafts'

const KEY = 'reloaded-for'

/**
 * Where code cannot be loaded although the server answers, this page is of an older version than the server's: loads it anew,
 * once for the same fault, and never over something typed.
 * @returns whether the page is being left
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

// The server and the operator hand over codes behind the `#` of an address, which browsers send to no server.

/** A log-in code, the token of an operator's link, or an error of the provider. */
export interface Handover {
  oidc?: string
  link?: string
  oidc_error?: string
}

const names = ['oidc', 'link', 'oidc_error'] as const

declare global {
  interface Window {
    /** Shared by the head script and the application. */
    handover?: Handover
  }
}

/**
 * Moves the code from the address into memory. The head script calls this before anything else can read or keep the
 * address.
 */
export function holdHandover(): void {
  const { pathname, search, hash } = window.location
  const handover = parse(hash)
  if (!handover) return
  window.handover = handover
  window.history.replaceState(window.history.state, '', pathname + search)
}

/** Returns the code until it is dropped. */
export function readHandover(): Handover {
  return window.handover ?? {}
}

/** Deletes the code after its use, so that the next person does not find it. */
export function dropHandover(): void {
  delete window.handover
}

/**
 * Reloads an open page when its address gets a code, because the browser does not load the page again for a new
 * fragment.
 */
export function reloadWithHandover(): () => void {
  window.addEventListener('hashchange', reloadIfHanded)
  return () => window.removeEventListener('hashchange', reloadIfHanded)
}

function reloadIfHanded(): void {
  if (parse(window.location.hash)) window.location.reload()
}

function parse(hash: string): Handover | undefined {
  const given = new URLSearchParams(hash.slice(1))
  const found = names.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : []))
  return found.length === 0 ? undefined : (Object.fromEntries(found) as Handover)
}

// The server and the operator hand over codes behind the `#` of an address, which browsers send to no server.

/** A code for a log-in, a token of the operator's link, or what went wrong at the provider. */
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

/** Takes it out of the address, before anything else can read or keep that. The head script calls this first. */
export function holdHandover(): void {
  const { pathname, search, hash } = window.location
  const handover = parse(hash)
  if (!handover) return
  window.handover = handover
  window.history.replaceState(window.history.state, '', pathname + search)
}

/** What was handed over to this page, until it is dropped. */
export function readHandover(): Handover {
  return window.handover ?? {}
}

/** It is for one page, and the next person finds none. */
export function dropHandover(): void {
  delete window.handover
}

/** Reloads a page that is open when it gets one, as only its fragment changes. */
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

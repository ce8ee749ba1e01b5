// The server and the operator pass codes in the fragment of a URL, which browsers send to no server.

/** A log-in code, the token of an operator's link, or an error of the provider. */
const names = ['oidc', 'link', 'oidc_error'] as const

type Handover = Partial<Record<(typeof names)[number], string>>

declare global {
  interface Window {
    handover?: Handover
  }
}

/** Removes the code from the URL, before anything else can read or store the URL. */
export function holdHandover(): void {
  const { pathname, search, hash } = window.location
  const handover = parse(hash)
  if (!handover) return
  window.handover = handover
  window.history.replaceState(window.history.state, '', pathname + search)
}

export const readHandover = (): Handover => window.handover ?? {}

export function dropHandover(): void {
  delete window.handover
}

/** Reloads the page when its URL gets a code, because browsers do not do so for a new fragment. */
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

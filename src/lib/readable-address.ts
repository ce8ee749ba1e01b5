/** Percent signs that stand for no text become plain ones: the router throws at them, and has a page for what leads nowhere. */
export function makeAddressReadable(): void {
  const { pathname, search, hash } = location
  try {
    decodeURIComponent(pathname)
  } catch {
    history.replaceState(history.state, '', pathname.replaceAll('%', '%25') + search + hash)
  }
}

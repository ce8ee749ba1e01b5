/** Where the address is no text, its percent signs become a character that nothing is named by: the router would throw at them. */
export function makeAddressReadable(): void {
  const { pathname, search, hash } = location
  try {
    decodeURIComponent(pathname)
  } catch {
    history.replaceState(history.state, '', pathname.replaceAll('%', encodeURIComponent('\uFFFD')) + search + hash)
  }
}

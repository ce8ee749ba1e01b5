/** Replaces the percent signs of a path that cannot be decoded: the router would throw instead of showing the not-found page. */
export function makeAddressReadable(): void {
  const { pathname, search, hash } = location
  if (isDecodable(pathname)) return
  history.replaceState(history.state, '', pathname.replaceAll('%', encodeURIComponent('\uFFFD')) + search + hash)
}

function isDecodable(pathname: string): boolean {
  try {
    // The build drops a call whose result is not used.
    return decodeURIComponent(pathname) !== ''
  } catch {
    return false
  }
}

/** Replaces the percent signs of an undecodable path, for which the router would throw instead of showing the not-found page. */
export function makeAddressReadable(): void {
  const { pathname, search, hash } = location
  if (isDecodable(pathname)) return
  history.replaceState(history.state, '', pathname.replaceAll('%', encodeURIComponent('\uFFFD')) + search + hash)
}

function isDecodable(pathname: string): boolean {
  try {
    // Uses the result, because the build drops unused calls.
    return decodeURIComponent(pathname) !== ''
  } catch {
    return false
  }
}

import { isIP, isIPv4, SocketAddress } from 'node:net'

/**
 * The network address alone, without the port that some proxies add. What is no address is `unknown`: a proxy may hand on
 * whatever a client says of itself, which is neither for a log or a terminal, nor to be counted as somebody new each time.
 */
export function networkAddress(ip: string): string {
  const [, bare = ip] = /^\[(.+)\](?::\d+)?$/.exec(ip) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip) ?? []
  return isIP(bare) === 0 ? 'unknown' : bare
}

/**
 * Those who are counted as one: a single IPv4 address, or the /64 that an IPv6 customer gets at least, all of whose
 * addresses one attacker can use. However an address is spelled, it counts the same; all that is none counts as one.
 */
export function addressBlock(ip: string): string {
  const address = networkAddress(ip).replace(/%.*$/, '')
  if (isIP(address) !== 6) return address
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = canonical.replace(/^::ffff:/, '')
  return isIPv4(mapped) ? mapped : `${firstHalf(canonical)}::/64`
}

/** The first four groups of an IPv6 address in its canonical spelling. */
function firstHalf(address: string): string {
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

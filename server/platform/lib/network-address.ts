import { isIP, isIPv4, SocketAddress } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Removes a port. Other text is made up by a client, and must not reach a log or count as a new client. */
export function networkAddress(ip: string): string {
  const [, bare = ip] = /^\[(.+)\](?::\d+)?$/.exec(ip) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip) ?? []
  return isIP(bare) === 0 ? 'unknown' : bare
}

/** Prefix lengths of the IPv6 networks that a device, a household and a site usually get. Each counts as one client. */
const PREFIXES = [64, 56, 48] as const

/**
 * The networks that an address belongs to, narrowest first: the IPv4 address itself, or the /64, /56 and /48 of an IPv6
 * address, because one attacker can use all addresses in them. All spellings of an address give the same result. All
 * texts that are not addresses count as one.
 */
export function subnets(ip: string): [narrowest: string, ...wider: string[]] {
  const address = networkAddress(ip).replace(/%.*$/, '')
  if (isIP(address) !== 6) return [address]
  // ipaddr.js takes `::192.0.2.1` for an IPv4 address.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = canonical.replace(/^::ffff:/, '')
  if (isIPv4(mapped)) return [mapped]
  const [first, ...others] = PREFIXES.map((bits) => networkOf(canonical, bits))
  return [first ?? address, ...others]
}

export function subnet(ip: string): string {
  return subnets(ip)[0]
}

/** The widest of the networks that an address belongs to. Password hashing alternates between these. */
export function hashGroup(ip: string): string {
  const networks = subnets(ip)
  return networks.at(-1) ?? networks[0]
}

/** @param hostname of a URL */
export function isLoopback(hostname = ''): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** Keeps groups of zeros. Digests of these texts are stored, so the form must not change. */
function networkOf(address: string, bits: number): string {
  const groups = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toNormalizedString().split(':')
  return `${groups.slice(0, Math.ceil(bits / 16)).join(':')}::/${bits}`
}

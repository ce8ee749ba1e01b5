import { isIP, isIPv4, SocketAddress } from 'node:net'

/**
 * The network address alone, without the port that some proxies add. What is no address is `unknown`: a proxy may hand on
 * whatever a client says of itself, which is neither for a log or a terminal, nor to be counted as somebody new each time.
 */
export function networkAddress(ip: string): string {
  const [, bare = ip] = /^\[(.+)\](?::\d+)?$/.exec(ip) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip) ?? []
  return isIP(bare) === 0 ? 'unknown' : bare
}

/** Bits of the IPv6 networks that are counted as one: what a device, a household and a site usually get. */
const PREFIXES = [64, 56, 48] as const

/**
 * The networks that an address belongs to, the narrowest first: a single IPv4 address, or the /64, the /56 and the /48 of an
 * IPv6 address, all of whose addresses one attacker can use. Every spelling of an address gives the same; all texts that are
 * no address count as one.
 */
export function addressBlocks(ip: string): [narrowest: string, ...wider: string[]] {
  const address = networkAddress(ip).replace(/%.*$/, '')
  if (isIP(address) !== 6) return [address]
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = canonical.replace(/^::ffff:/, '')
  if (isIPv4(mapped)) return [mapped]
  const groups = firstGroups(canonical)
  const [first, ...others] = PREFIXES.map((bits) => `${prefixOf(groups, bits)}::/${bits}`)
  return [first ?? address, ...others]
}

/** The narrowest of the networks that an address belongs to. */
export function addressBlock(ip: string): string {
  return addressBlocks(ip)[0]
}

/** The widest of them: whose turn it is when the server hashes passwords. */
export function hashGroup(ip: string): string {
  const blocks = addressBlocks(ip)
  return blocks.at(-1) ?? blocks[0]
}

/** The first four groups of an IPv6 address in its canonical spelling. */
function firstGroups(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4)
}

/** @param bits between 48 and 64 */
function prefixOf(groups: readonly string[], bits: number): string {
  const [last = '0'] = groups.slice(3)
  const kept = Number.parseInt(last, 16) & (0xffff << (64 - bits))
  return [...groups.slice(0, 3), ...(bits > 48 ? [(kept & 0xffff).toString(16)] : [])].join(':')
}

import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * Those who are counted as one: a single IPv4 address, or the /64 that an IPv6 customer gets at least, all of whose
 * addresses one attacker can use, however they are spelled. A port, which some proxies add, does not count. All that is
 * no address counts as one: a proxy that hands on what a client says of itself must not give it a new count each time.
 */
export function addressBlock(ip: string): string {
  const [, bare = ip] = /^\[(.+)\](?::\d+)?$/.exec(ip) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip) ?? []
  const address = bare.replace(/%.*$/, '')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = canonical.replace(/^::ffff:/, '')
  return isIPv4(mapped) ? mapped : `${network(canonical)}::/64`
}

/** The first four groups of an IPv6 address in its canonical spelling. */
function network(address: string): string {
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/** For logs and terminals, where a control character is a command. Addresses have none; what a proxy hands on may. */
export function printableAddress(ip: string): string {
  return ip.replaceAll(/[^\x20-\x7E]/g, '?')
}

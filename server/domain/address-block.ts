import { isIP, isIPv6 } from 'node:net'

/**
 * Those who are counted as one: a single IPv4 address, or the /64 that an IPv6 customer gets at least, all of whose
 * addresses one attacker can use. A port, which some proxies add, does not count. Anything else counts as what it is.
 */
export function addressBlock(ip: string): string {
  const [, bare = ip] = /^\[(.+)\](?::\d+)?$/.exec(ip) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip) ?? []
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined && isIP(mapped) === 4) return mapped
  if (!isIPv6(address)) return address
  return `${firstGroups(address).slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail = ''] = address.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail)
  const missing = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...missing, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}

/** An IPv4 tail is two groups; which ones does not matter here. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group))
}

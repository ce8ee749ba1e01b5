import { isIP } from 'node:net'
import type { Services } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'

export interface RelyingParty {
  id: string
  origin: string
  name: string
}

/** @returns `undefined` where browsers offer no passkeys: at an IP address, or by http except on localhost */
function relyingParty({ config, publicUrl }: Services): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl())
  const isName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  if (!isName || (protocol !== 'https:' && hostname !== 'localhost')) return undefined
  return { id: hostname, origin, name: config.product }
}

export function hasPasskeys(context: Services): boolean {
  return relyingParty(context) !== undefined
}

/** @throws DomainError `conflict` */
export function requirePasskeys(context: Services): RelyingParty {
  const party = relyingParty(context)
  if (!party) throw new DomainError('conflict', 'Passkeys need https or localhost')
  return party
}

import type { IdentityPublic } from '@/client/types.gen'

/** What an API token with a scope may. */
export const scopeText = (scope: string): string => (scope === 'read' ? 'Read' : 'Read and change')

/** The address that the provider named, or else the provider. */
export const identityName = (identity: IdentityPublic): string => identity.email ?? issuerText(identity)

/** The provider, without `https://`. */
export const issuerText = ({ issuer }: IdentityPublic): string => issuer.replace(/^https?:\/\//, '')

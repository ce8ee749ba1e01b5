import { queryOptions, useQuery } from '@tanstack/react-query'
import { usersReadOwnTokensOptions, usersReadTokensOptions } from '@/client/@tanstack/react-query.gen'
import type { ApiTokenPublic, ApiTokensPublic } from '@/client/types.gen'
import { serverNow } from '../server-clock'
import { hasCapabilities, useCurrentUser } from './current-user'

export const ownApiTokens = queryOptions(usersReadOwnTokensOptions())

export const apiTokensOf = (userId: string) => usersReadTokensOptions({ path: { user_id: userId } })

export const isExpired = ({ expires_at }: ApiTokenPublic): boolean => Date.parse(expires_at) <= serverNow()

const hasLive = ({ data }: ApiTokensPublic): boolean => !data.every(isExpired)

/** Whether the own account has tokens that a new password could end. Not asked of back ends without capabilities. */
export function useHasApiTokens(): boolean {
  const enabled = hasCapabilities(useCurrentUser())
  return useQuery({ ...ownApiTokens, enabled, select: hasLive }).data === true
}

/** The same of another account, for superusers. */
export function useHasApiTokensOf(userId: string): boolean {
  const enabled = hasCapabilities(useCurrentUser())
  return useQuery({ ...apiTokensOf(userId), enabled, select: hasLive }).data === true
}

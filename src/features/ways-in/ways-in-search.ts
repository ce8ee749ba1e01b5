import { type DialogOf, flag, rowId } from '@/lib/search-params'

/** Without its secret, `?set_up` opens nothing. */
export const secondFactorDialogs = { set_up: flag, new_codes: flag, turn_off: flag }
export type SecondFactorDialog = DialogOf<typeof secondFactorDialogs>

export const passkeyDialogs = { edit: rowId, delete: rowId }
export const identityDialogs = { delete_identity: rowId }
export const apiTokenDialogs = { create_token: flag, delete_token: rowId }

/** Of the security page. */
export const ownDialogs = { ...secondFactorDialogs, ...passkeyDialogs, ...identityDialogs, ...apiTokenDialogs }

/** Of a user's page. */
export const waysOfUserDialogs = { ...identityDialogs, delete_token: rowId }

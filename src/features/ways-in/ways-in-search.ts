import { flag, rowId } from '@/lib/search-params'

/** `?set_up` opens nothing after a reload, because the secret is not in the URL. */
export const secondFactorDialogs = { set_up: flag, new_codes: flag, turn_off: flag }
export const passkeyDialogs = { edit: rowId, delete: rowId }
export const identityDialogs = { delete_identity: rowId }
export const apiTokenDialogs = { create_token: flag, delete_token: rowId }

export const ownDialogs = { ...secondFactorDialogs, ...passkeyDialogs, ...identityDialogs, ...apiTokenDialogs }

export const waysOfUserDialogs = { ...identityDialogs, delete_token: rowId }

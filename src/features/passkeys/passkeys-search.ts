import { type DialogOf, rowId } from '@/lib/search-params'

export const passkeyDialogs = { edit: rowId, delete: rowId }

export type PasskeyDialog = DialogOf<typeof passkeyDialogs>

import { type DialogSearch, type PageDialog, readDialog } from '@/lib/dialog-search'

export type PasskeyDialog = PageDialog<never, 'edit' | 'delete'>

/** `?edit=ID` and `?delete=ID` open the dialogs of a passkey. */
export const toPasskeysSearch: (search: Record<string, unknown>) => DialogSearch<PasskeyDialog> = readDialog(
  [],
  ['edit', 'delete'],
)

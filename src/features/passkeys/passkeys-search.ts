import type { PageDialog } from '@/lib/dialog-search'

/** The dialogs of a passkey: `?edit=ID` and `?delete=ID`. */
export const passkeyDialogs = ['edit', 'delete'] as const

export type PasskeyDialog = PageDialog<never, (typeof passkeyDialogs)[number]>

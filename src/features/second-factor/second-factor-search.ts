import type { PageDialog } from '@/lib/dialog-search'

/** The dialogs of two-step log-in. Without its secret, `?set_up` opens nothing. */
export const secondFactorDialogs = ['set_up', 'new_codes', 'turn_off'] as const

export type SecondFactorDialog = PageDialog<(typeof secondFactorDialogs)[number], never>

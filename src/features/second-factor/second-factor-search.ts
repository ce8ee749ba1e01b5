import { type DialogOf, flag } from '@/lib/search-params'

/** The dialogs of two-step log-in. Without its secret, `?set_up` opens nothing. */
export const secondFactorDialogs = { set_up: flag, new_codes: flag, turn_off: flag }

export type SecondFactorDialog = DialogOf<typeof secondFactorDialogs>

import { createAtom } from '@tanstack/react-store'

/** Whether passkeys can be used here. False until the back end has responded. */
export const hasPasskeys = createAtom(false)

/** @param onServer what `GET /instance` says; back ends without passkeys omit it */
export function setPasskeys(onServer: boolean | undefined): void {
  hasPasskeys.set(onServer === true && canUsePasskeys())
}

/** Browsers have passkeys only on https and localhost. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

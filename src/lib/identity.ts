import { createAtom } from '@tanstack/react-store'

/** A request waits until its person has confirmed who they are. */
export interface IdentityRequest {
  settle: (isConfirmed: boolean) => void
}

/** The open request, for the dialog of the shell. */
export const identityRequest = createAtom<IdentityRequest | null>(null)

let asking: Promise<boolean> | undefined

/** Asks the person to confirm who they are. Requests at the same time share one question. @returns whether they did */
export function confirmIdentity(): Promise<boolean> {
  asking ??= new Promise((resolve) => {
    const settle = (isConfirmed: boolean): void => {
      asking = undefined
      identityRequest.set(null)
      resolve(isConfirmed)
    }
    identityRequest.set({ settle })
  })
  return asking
}

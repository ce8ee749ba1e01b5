import { createAtom } from '@tanstack/react-store'

/** A request that waits until the person has confirmed who they are. */
export interface ReauthenticationRequest {
  settle: (isConfirmed: boolean) => void
}

/** The waiting request, which the shell shows as a dialog. */
export const reauthenticationRequest = createAtom<ReauthenticationRequest | null>(null)

let asking: Promise<boolean> | undefined

/** Asks the person to confirm who they are. Requests at the same time share one question. @returns whether they did */
export function reauthenticate(): Promise<boolean> {
  asking ??= new Promise((resolve) => {
    const settle = (isConfirmed: boolean): void => {
      asking = undefined
      reauthenticationRequest.set(null)
      resolve(isConfirmed)
    }
    reauthenticationRequest.set({ settle })
  })
  return asking
}

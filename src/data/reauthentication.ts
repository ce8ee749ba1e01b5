import { createAtom } from '@tanstack/react-store'

export interface ReauthenticationRequest {
  settle: (isConfirmed: boolean) => void
}

export const reauthenticationRequest = createAtom<ReauthenticationRequest | null>(null)

let asking: Promise<boolean> | undefined

/** Asks the user to confirm their identity. Simultaneous requests share one dialog. @returns whether they confirmed */
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

import { createAtom } from '@tanstack/react-store'

/** Whether sign-up is open. True until the back end has responded. The response is kept until the page reloads. */
export const isSignUpOpen = createAtom(true)

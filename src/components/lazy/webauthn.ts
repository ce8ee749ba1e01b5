import { lazy } from './lazy'

/** For the few people who use a passkey. */
export const webauthn = lazy(() => import('@/lib/webauthn'), { early: false })

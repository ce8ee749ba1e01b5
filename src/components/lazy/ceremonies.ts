import { lazy } from './lazy'

/** For the few people who use a passkey. */
export const ceremonies = lazy(() => import('@/lib/ceremonies'), { early: false })

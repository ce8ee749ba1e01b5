import { lazy } from '@/components/lazy/lazy'

/** The dialogs about users, for the list and for a user's page. */
export const userDialogs = lazy(() => import('./dialogs/user-dialogs'))

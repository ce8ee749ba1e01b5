import { lazy } from './lazy'

/** Dialogs, menus and messages: one file, which loads after the first paint. */
export const interaction = lazy(() => import('./interaction-code'))

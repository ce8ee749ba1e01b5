import { lazyPart } from '@/components/lazy'

/** The dialogs about users, for the list and for a user's page. */
export const UserDialogs = lazyPart(async () => (await import('./dialogs/user-dialogs')).UserDialogs)

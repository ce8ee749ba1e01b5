import { lazyPart } from '@/components/lazy'

export const UserDialogs = lazyPart(async () => (await import('./dialogs/user-dialogs')).UserDialogs)

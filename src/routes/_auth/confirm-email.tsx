import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { getToken } from '@/data/session'
import { screens } from '@/lib/screens'
import { tokenSearch } from '@/lib/search-params'

export const Route = createFileRoute('/_auth/confirm-email')({
  staticData: screens['/confirm-email'],
  validateSearch: tokenSearch,
  beforeLoad: () => ({ isLoggedIn: getToken() !== null }),
  component: lazyPage(async () => (await import('@/features/auth/confirm-email-page')).ConfirmEmailPage),
})

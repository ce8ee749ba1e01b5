import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { tokenSearch } from '@/lib/search-params'

export const Route = createFileRoute('/_auth/reset-password')({
  staticData: screens['/reset-password'],
  validateSearch: tokenSearch,
  component: lazyPage(async () => (await import('@/features/auth/reset-password-page')).ResetPasswordPage),
})

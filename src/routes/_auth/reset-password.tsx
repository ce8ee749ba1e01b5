import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { toToken } from '@/lib/token'

export const Route = createFileRoute('/_auth/reset-password')({
  staticData: { title: 'Reset password' },
  validateSearch: toToken,
  component: lazyPage(async () => (await import('@/features/auth/reset-password-page')).ResetPasswordPage),
})

import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'

export const Route = createFileRoute('/_auth/recover-password')({
  staticData: screens['/recover-password'],
  component: lazyPage(async () => (await import('@/features/auth/recover-password-page')).RecoverPasswordPage),
})

import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'

export const Route = createFileRoute('/_auth/recover-password')({
  staticData: { title: 'Recover password' },
  component: lazyPage(async () => (await import('@/features/auth/recover-password-page')).RecoverPasswordPage),
})

import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'

export const Route = createFileRoute('/_auth/login')({
  staticData: { title: 'Log in' },
  component: lazyPage(async () => (await import('@/features/auth/login-page')).LoginPage),
})

import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'

export const Route = createFileRoute('/_auth/login')({
  staticData: screens['/login'],
  component: lazyPage(async () => (await import('@/features/auth/login-page')).LoginPage),
})

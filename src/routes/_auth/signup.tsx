import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'

export const Route = createFileRoute('/_auth/signup')({
  staticData: screens['/signup'],
  component: lazyPage(async () => (await import('@/features/auth/signup-page')).SignupPage),
})

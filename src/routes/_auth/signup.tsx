import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'

export const Route = createFileRoute('/_auth/signup')({
  staticData: { title: 'Sign up' },
  component: lazyPage(async () => (await import('@/features/auth/signup-page')).SignupPage),
})

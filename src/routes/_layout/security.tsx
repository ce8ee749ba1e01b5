import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'

export const Route = createFileRoute('/_layout/security')({
  staticData: { title: 'Security' },
  component: lazyPage(async () => (await import('@/features/security/security-page')).SecurityPage),
})

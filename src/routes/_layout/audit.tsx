import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { auditLog } from '@/lib/lists'
import { superusersOnly } from '@/lib/superusers-only'

export const Route = createFileRoute('/_layout/audit')({
  staticData: { title: 'Audit Log' },
  validateSearch: auditLog.toSearch,
  beforeLoad: superusersOnly,
  component: lazyPage(async () => (await import('@/features/audit/audit-page')).AuditPage),
})

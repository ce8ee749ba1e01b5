import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { auditList } from '@/features/audit/audit-search'

export const Route = createFileRoute('/_layout/audit')({
  staticData: { title: 'Audit Log', isForSuperusers: true, isExtension: true },
  validateSearch: auditList.toSearch,
  component: lazyPage(async () => (await import('@/features/audit/audit-page')).AuditPage),
})

import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '@/features/audit/audit-page'
import { auditLog } from '@/lib/lists'
import { superusersOnly } from '@/lib/superusers-only'

export const Route = createFileRoute('/_layout/audit')({
  staticData: { title: 'Audit Log' },
  validateSearch: auditLog.toSearch,
  beforeLoad: superusersOnly,
  component: Audit,
})

function Audit() {
  const filters = auditLog.toQuery({ ...Route.useSearch() })
  const navigate = Route.useNavigate()
  return (
    <AuditPage
      filters={filters}
      onChange={(changes) => void navigate({ search: (search) => ({ ...search, ...changes }), resetScroll: false })}
    />
  )
}

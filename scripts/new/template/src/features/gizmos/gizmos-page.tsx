import { Trash2 } from 'lucide-react'
import { gizmosExportGizmos } from '@/client/sdk.gen'
import { lazyPart } from '@/components/lazy'
import { FilterCreated } from '@/components/list/filter-time'
import { FilterOwner } from '@/components/list/filter-note'
import { type ColumnsOf, ListPage } from '@/components/list/list-page'
import { gizmosList } from './gizmos-list'

const Dialogs = lazyPart(async () => (await import('./gizmo-dialogs')).GizmosDialogs)

const columns: ColumnsOf<typeof gizmosList> = [
  {
    header: 'ID',
    area: 'title-end',
    width: 5,
    cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code>,
  },
  COLUMNS,
]

export function GizmosPage() {
  return (
    <ListPage
      list={gizmosList}
      description="A list of all the gizmos."
      add="Add Gizmo"
      empty={{ title: 'No gizmos', text: 'Add a new gizmo to get started' }}
      columns={columns}
      {...MANY_FILTERS}
      filters={(filter) => FILTERS}
      notes={(filter) => <FilterOwner title="Gizmos" {...filter.link('owner_id')} />}
      exportRows={gizmosExportGizmos}
      bulk={[{ kind: 'delete_selected', label: 'Delete', icon: Trash2, className: 'text-destructive' }]}
      dialogs={Dialogs}
    />
  )
}

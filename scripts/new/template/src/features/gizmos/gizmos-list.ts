import { ICON } from 'lucide-react'
import { gizmosReadGizmosOptions } from '@/client/@tanstack/react-query.gen'
import { gizmosReadGizmo } from '@/client/sdk.gen'
import { defineList } from '@/data/api/list'
import { dayOrTime, flag, id, rowDialogs } from '@/lib/search-params'

export const gizmosList = defineList({
  tag: 'gizmos',
  noun: 'gizmo',
  icon: ICON,
  name: NAME,
  read: gizmosReadGizmosOptions,
  readRow: (row, signal) => gizmosReadGizmo({ path: { id: row }, signal }),
  filters: { owner_id: id(), created_from: dayOrTime(), created_to: dayOrTime(), FILTERS },
  sorts: [SORTS],
  dialogs: { add: flag, delete_selected: flag, ...rowDialogs },
})

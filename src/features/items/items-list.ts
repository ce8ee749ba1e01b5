import { NotebookText } from 'lucide-react'
import { itemsReadItemsOptions } from '@/client/@tanstack/react-query.gen'
import { itemsReadItem } from '@/client/sdk.gen'
import { defineList } from '@/data/api/list'
import { dayOrTime, flag, id, rowDialogs } from '@/lib/search-params'

export const itemsList = defineList({
  tag: 'items',
  noun: 'item',
  icon: NotebookText,
  name: 'title',
  read: itemsReadItemsOptions,
  readRow: (row, signal) => itemsReadItem({ path: { id: row }, signal }),
  filters: { owner_id: id(), created_from: dayOrTime(), created_to: dayOrTime() },
  sorts: ['title'],
  dialogs: { add: flag, delete_selected: flag, ...rowDialogs },
})

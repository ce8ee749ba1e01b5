import * as z from 'zod/mini'
import { pageQuery } from '@/lib/paging'
import { screens } from '@/lib/screens'
import { dayOrTime, defined, type DialogOf, flag, optional, pageNumber, rowId, text, upTo } from '@/lib/search-params'

/** What `actionsFor` offers. */
const actions = {
  resend: rowId,
  reset_password: rowId,
  activate: rowId,
  deactivate: rowId,
  make_superuser: rowId,
  remove_superuser: rowId,
}

export const usersDialogs = {
  add: flag,
  invite: flag,
  import: flag,
  edit: rowId,
  delete: rowId,
  ...actions,
  bulk: rowId,
}

export type UsersDialog = DialogOf<typeof usersDialogs>

const { choices } = screens['/users'].list

/** The search parameters of the users page. */
export const usersSearch = z.object({
  q: text(),
  role: optional(z.enum(choices.role)),
  status: optional(z.enum(choices.status)),
  idle_days: upTo(3650),
  never_active: optional(z.enum(choices.never_active)),
  confirmed: optional(z.enum(choices.confirmed)),
  created_from: dayOrTime(),
  created_to: dayOrTime(),
  sort: optional(z.enum(choices.sort)),
  page: pageNumber(),
  ...usersDialogs,
})

export const userFilters = [
  'q',
  'role',
  'status',
  'idle_days',
  'never_active',
  'confirmed',
  'created_from',
  'created_to',
] as const

/** The query for the API. */
export function toUsersQuery({ page, q, role, status, idle_days, never_active, ...rest }: z.infer<typeof usersSearch>) {
  const { confirmed, created_from, created_to, sort } = rest
  // Otherwise somebody who was invited a minute ago would not have been active for a year.
  const never = never_active ?? (idle_days === undefined ? undefined : ('from_creation' as const))
  const created = { created_from, created_to }
  return defined({ ...pageQuery(page), q, role, status, idle_days, sort, never_active: never, confirmed, ...created })
}

export const userDialogs = {
  edit: rowId,
  delete: rowId,
  end_sessions: rowId,
  reset_second_factor: rowId,
  ...actions,
}

export type UserDialog = DialogOf<typeof userDialogs>

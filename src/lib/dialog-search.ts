/** Dialogs of a page, as in `/users?add`. */
const pageDialogs = ['add', 'invite'] as const
/** Dialogs for one row, as in `/items?page=2&edit=ID`. */
const rowDialogs = [
  'edit',
  'delete',
  'resend',
  'end_sessions',
  // The following accept several ids, separated by commas.
  'activate',
  'deactivate',
  'make_superuser',
  'remove_superuser',
] as const

type PageDialog = (typeof pageDialogs)[number]
export type RowDialog = (typeof rowDialogs)[number]
export type DialogKind = PageDialog | RowDialog

/** The dialog in a URL: at most one of these search parameters. */
export type DialogSearch = { [Kind in DialogKind]?: string | undefined }

export type AddressDialog = { kind: PageDialog } | { kind: RowDialog; id: string }

/** The first dialog in the search parameters. @param kinds the page's dialogs */
export function toDialog(
  search: Record<string, unknown>,
  kinds: readonly DialogKind[] = [...pageDialogs, ...rowDialogs],
): AddressDialog | null {
  const pageDialog = pageDialogs.find((kind) => kinds.includes(kind) && search[kind] === '')
  if (pageDialog) return { kind: pageDialog }
  const rowDialog = rowDialogs.find((kind) => kinds.includes(kind) && typeof search[kind] === 'string')
  return rowDialog ? { kind: rowDialog, id: search[rowDialog] as string } : null
}

/** Sets every parameter, so that the old ones are replaced. */
export function toDialogSearch(dialog: AddressDialog | null): Required<DialogSearch> {
  const none = Object.fromEntries([...pageDialogs, ...rowDialogs].map((kind) => [kind, undefined]))
  const given = dialog === null ? {} : { [dialog.kind]: 'id' in dialog ? dialog.id : '' }
  return { ...none, ...given } as Required<DialogSearch>
}

/** The dialog of an address: at most one of these search parameters, as in `/items?page=2&edit=ID`. */
export interface DialogSearch {
  add?: '' | undefined
  edit?: string | undefined
  delete?: string | undefined
}

export type AddressDialog = { kind: 'add' } | { kind: 'edit' | 'delete'; id: string }

/** The first dialog that the search parameters name. */
export function toDialog(search: Record<string, unknown>): AddressDialog | null {
  if (search.add === '') return { kind: 'add' }
  if (typeof search.edit === 'string') return { kind: 'edit', id: search.edit }
  if (typeof search.delete === 'string') return { kind: 'delete', id: search.delete }
  return null
}

/** Every parameter is set, so that it replaces the one in the address. */
export function toDialogSearch(dialog: AddressDialog | null): Required<DialogSearch> {
  const none = { add: undefined, edit: undefined, delete: undefined }
  return dialog === null ? none : { ...none, [dialog.kind]: dialog.kind === 'add' ? '' : dialog.id }
}

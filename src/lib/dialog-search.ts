/** The dialog in a URL: `?add`, or `?edit=ID` for one row. A search has it as `dialog`. */
export type PageDialog<Page extends string = string, Row extends string = string> =
  | (Page extends string ? { kind: Page; id?: never } : never)
  | { kind: Row; id: string }

export interface DialogSearch<Dialog extends PageDialog = PageDialog> {
  dialog?: Dialog | undefined
}

/**
 * Reads the dialog of a page from its search parameters, or from a search that was read before.
 * @param page dialogs of the page @param row dialogs for one row
 */
export function readDialog<const Page extends string, const Row extends string = never>(
  page: readonly Page[],
  row: readonly Row[] = [],
) {
  return (search: Record<string, unknown>): DialogSearch<PageDialog<Page, Row>> => {
    const given = flattenDialog(search)
    const pageKind = page.find((kind) => given[kind] === '')
    if (pageKind !== undefined) return { dialog: { kind: pageKind } as PageDialog<Page, Row> }
    const rowKind = row.find((kind) => typeof given[kind] === 'string')
    return { dialog: rowKind === undefined ? undefined : { kind: rowKind, id: given[rowKind] as string } }
  }
}

/** Replaces `dialog` by its parameter: `{ edit: ID }`. */
export function flattenDialog({ dialog, ...search }: Record<string, unknown>): Record<string, unknown> {
  if (typeof dialog !== 'object' || dialog === null) return search
  const { kind, id = '' } = dialog as PageDialog
  return { ...search, [kind]: id }
}

/** The search without its dialog, which may also be in it as a parameter. */
export function withoutDialog<Search extends DialogSearch>({ dialog, ...search }: Search): Omit<Search, 'dialog'> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => name !== dialog?.kind)) as Omit<Search, 'dialog'>
}

/** Whether the dialog is in search parameters that were not read yet. */
export function isInSearch({ kind, id = '' }: PageDialog, search: object): boolean {
  return (search as Record<string, unknown>)[kind] === id
}

import { Ellipsis, type LucideIcon } from 'lucide-react'
import type { Needy } from '@/data/api/capabilities'
import { Menu } from '../menu'
import type { OpenDialog } from '../page-dialogs'
import { Button, buttonClass } from '../ui/button'
import { Tooltip } from '../ui/tooltip'

/** Opens a dialog of a page. */
export interface Action<Kind extends string = string> extends Needy {
  kind: Kind
  label: string
  icon: LucideIcon
  className?: string
}

/** The same of a dialog that has an id. */
export interface ActionWithId<Kind extends string = string> extends Action<Kind> {
  id?: string
}

/** Opens any dialog of a page: which ones there are, its actions say. */
export type OpenAny = OpenDialog<{ kind: string; id?: string }>

interface BulkActionsProps {
  actions: readonly ActionWithId[]
  plural: string
  /** No row is selected. */
  isEmpty: boolean
  open: OpenAny
}

/** More are in a menu. */
const MAX_BUTTONS = 2

/** What can be done with the selected rows. */
export function BulkActions({ actions, plural, isEmpty, open }: BulkActionsProps) {
  const more = actions.slice(MAX_BUTTONS)
  return (
    <>
      {actions.slice(0, MAX_BUTTONS).map(({ label, icon: Icon, className, ...dialog }) => (
        <Button
          key={label}
          variant="secondary"
          className={className}
          disabled={isEmpty}
          onClick={({ currentTarget }) => open(dialog, currentTarget)}
        >
          <Icon aria-hidden />
          {label}
        </Button>
      ))}
      {more.length > 0 && (
        <Tooltip label="More actions">
          {' '}
          <Menu
            aria-label={`More actions on the selected ${plural}`}
            disabled={isEmpty}
            className={buttonClass('secondary', 'icon', 'size-9')}
            align="end"
            entries={entriesOf(more, open)}
          >
            <Ellipsis aria-hidden />
          </Menu>
        </Tooltip>
      )}
    </>
  )
}

/** @param id of the row that they are about */
export const entriesOf = (actions: readonly ActionWithId[], open: OpenAny, id?: string) =>
  actions.map(({ kind, id: own = id, ...entry }) => ({
    ...entry,
    onSelect: (opener: HTMLElement) => open({ kind, ...(own !== undefined && { id: own }) }, opener),
  }))

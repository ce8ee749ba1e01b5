import { Ellipsis, type LucideIcon } from 'lucide-react'
import type { NeedsCapability } from '@/data/api/capabilities'
import { Menu } from '../menu'
import type { OpenDialog } from '../page-dialogs'
import { Button, buttonClass } from '../ui/button'
import { Tooltip } from '../ui/tooltip'

export interface Action<Kind extends string = string> extends NeedsCapability {
  kind: Kind
  label: string
  icon: LucideIcon
  className?: string
}

export interface ActionWithId<Kind extends string = string> extends Action<Kind> {
  id?: string
}

/** Opens any dialog of a page. The types of the actions ensure that the page has it. */
export type OpenAny = OpenDialog<{ kind: string; id?: string }>

interface BulkActionsProps {
  actions: readonly ActionWithId[]
  plural: string
  isEmpty: boolean
  open: OpenAny
}

const MAX_BUTTONS = 2

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

export const entriesOf = (actions: readonly ActionWithId[], open: OpenAny, id?: string) =>
  actions.map(({ kind, id: own = id, ...entry }) => ({
    ...entry,
    onSelect: (opener: HTMLElement) => open({ kind, ...(own !== undefined && { id: own }) }, opener),
  }))

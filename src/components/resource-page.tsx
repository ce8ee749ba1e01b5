import type { ComponentType, ReactNode } from 'react'
import { useCurrentUser } from '@/data/api/current-user'
import type { ResourceQuery } from '@/data/api/resource'
import type { Tag } from '@/lib/resources'
import { type RowDialog, rowDialogs } from '@/lib/search-params'
import { LinkedLists } from './linked-rows'
import { Needs } from './needs'
import { OpenButton } from './buttons'
import { OwnerNote } from './owner-note'
import type { PageDialogProps } from './page-dialogs'
import { PageHeader } from './page-header'
import { RowPage } from './row-page'
import { Section } from './section'
import { Dash } from './ui/missing'
import { UserText } from './ui/user-text'

type ResourceRow = { id: string; owner_id: string; created_at: string }

interface ResourcePageProps<Row> {
  list: { tag: Tag; nameOf: (row: Row) => string; row: (id: string) => ResourceQuery<Row> }
  id: string
  /** Renders a `Value` for each field. */
  values: ComponentType<{ row: Row }>
  dialogs: ComponentType<PageDialogProps<RowDialog>>
  history: (row: Row) => ReactNode
}

export function ResourcePage<Row extends ResourceRow>(props: ResourcePageProps<Row>) {
  const { list, id, values: Values, dialogs: Dialogs, history } = props
  const { is_superuser } = useCurrentUser()
  return (
    <RowPage list={list} id={id} dialogs={rowDialogs} show={(shown) => <Dialogs {...shown} />}>
      {(row, open) => (
        <>
          <PageHeader title={<UserText show="whole">{list.nameOf(row)}</UserText>}>
            <div className="flex gap-2">
              <OpenButton open={open} dialog={{ kind: 'edit', id }}>
                Edit
              </OpenButton>
              <OpenButton open={open} dialog={{ kind: 'delete', id }}>
                Delete
              </OpenButton>
            </div>
          </PageHeader>
          <dl className="mt-4 mb-3 grid grid-cols-2 gap-x-8 gap-y-4 rounded-lg border p-4 empty:hidden lg:grid-cols-3">
            <Values row={row} />
          </dl>
          <OwnerNote row={row} />
          <LinkedLists to={list.tag} id={id} />
          {is_superuser && (
            <Needs capability="administration">
              <Section title="History">{history(row)}</Section>
            </Needs>
          )}
        </>
      )}
    </RowPage>
  )
}

interface ValueProps {
  name: string
  isWide?: boolean
  /** A dash replaces null and empty text. */
  children: ReactNode
}

export function Value({ name, isWide = false, children }: ValueProps) {
  return (
    <div className={isWide ? 'col-span-full' : 'min-w-0'}>
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="mt-0.5 whitespace-pre-line wrap-anywhere">
        {children === null || children === '' ? <Dash /> : children}
      </dd>
    </div>
  )
}

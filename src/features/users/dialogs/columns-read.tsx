import { Fragment } from 'react'
import { UserText } from '@/components/ui/user-text'
import type { People } from './read-people'
import { userLabels } from './user-form'

/** Which columns of a table became what, and which are ignored. */
export function ColumnsRead({ columns, ignored }: Pick<People, 'columns' | 'ignored'>) {
  const fields = (['email', 'full_name', 'is_superuser'] as const).flatMap((field) => {
    const heading = columns[field]
    return heading === undefined ? [] : [{ field, heading }]
  })
  return (
    <dl aria-label="Columns" className="mb-4 grid grid-cols-[auto_1fr] gap-x-4">
      {fields.map(({ field, heading }) => (
        <Fragment key={field}>
          <dt className="text-muted-foreground">{userLabels[field]}</dt>
          <dd>
            from <UserText>{heading}</UserText>
          </dd>
        </Fragment>
      ))}
      {ignored.length > 0 && (
        <>
          <dt className="text-muted-foreground">Ignored</dt>
          <dd>
            <UserText>{ignored.join(', ')}</UserText>
          </dd>
        </>
      )}
    </dl>
  )
}

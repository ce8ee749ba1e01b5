import { useQueries, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { links, type Tag } from '@/lib/resources'
import { linkToRow, readRows, resourceOf } from '@/data/resources'
import { choiceText, countText } from '@/lib/text'
import { rowName } from '@/lib/row-name'
import { Link, TextLink } from './link'
import { Panel, panelRow } from './panel'
import { UserText } from './ui/user-text'

interface LinkedProps {
  to: Tag
  id: string
}

const MAX_LISTED = 5

type Linking = ReturnType<typeof linkingTo>[number]

const linkingTo = (tag: Tag) =>
  links.filter(({ to }) => to === tag).map((link) => ({ ...link, resource: resourceOf(link.from) }))

const linkedOptions = ({ from: tag, field }: Linking, id: string, limit: number) => ({
  queryKey: [{ tags: [tag], linkedTo: id, field, limit }] as readonly unknown[],
  queryFn: ({ signal }: { signal: AbortSignal }) => readRows(tag, { [field]: id, limit }, signal),
})

/** How many rows link to a row, by field. @returns `undefined` until all are read; omits fields whose request fails */
export function useLinkedCounts({ to, id }: LinkedProps): (Linking & { count: number })[] | undefined {
  const from = linkingTo(to)
  const answers = useQueries({ queries: from.map((linking) => linkedOptions(linking, id, 1)) })
  if (answers.some(({ isPending }) => isPending)) return undefined
  return from.flatMap((linking, index) => {
    const count = answers[index]?.data?.count
    return count === undefined ? [] : [{ ...linking, count }]
  })
}

type LinkedCountProps = Pick<Linking, 'resource' | 'field'> & { count: number; id: string }

export function LinkedCount({ resource, field, count, id }: LinkedCountProps) {
  return (
    <TextLink to={resource.to} search={{ [field]: id } as never}>
      {countText(count, resource.noun, resource.tag)}
    </TextLink>
  )
}

export function LinkedRows(props: LinkedProps) {
  const known = useLinkedCounts(props)
  if (!known?.length) return null
  return (
    <p className="pb-4 text-xs text-muted-foreground">
      {known.map((linking, index) => (
        <Fragment key={`${linking.resource.tag} ${linking.field}`}>
          {index > 0 && <span>{', '}</span>}
          <LinkedCount {...linking} id={props.id} />
        </Fragment>
      ))}
    </p>
  )
}

export function LinkedLists({ to, id }: LinkedProps) {
  const from = linkingTo(to)
  if (from.length === 0) return null
  return (
    <div className="mt-2 grid items-start gap-6 lg:grid-cols-2">
      {from.map((linking) => (
        <LinkedList
          key={`${linking.resource.tag} ${linking.field}`}
          linking={linking}
          id={id}
          isOnly={from.filter(({ resource }) => resource === linking.resource).length === 1}
        />
      ))}
    </div>
  )
}

/** @param isOnly whether no other field of the same resource links to the row */
function LinkedList({ linking, id, isOnly }: { linking: Linking; id: string; isOnly: boolean }) {
  const { resource, field } = linking
  const { data } = useQuery(linkedOptions(linking, id, MAX_LISTED))
  if (data === undefined) return null
  const { data: rows, count } = data
  return (
    <Panel
      title={isOnly ? resource.title : `${resource.title} (${choiceText(field.replace(/_id$/, ''))})`}
      link={count > rows.length && <LinkedCount {...linking} count={count} id={id} />}
    >
      {rows.length === 0 ? (
        <li className="px-4 py-3 text-muted-foreground">{`No ${resource.tag}`}</li>
      ) : (
        rows.map((row) => (
          <li key={row.id}>
            <Link {...linkToRow(resource.tag, row.id)} className={panelRow}>
              <UserText show="one line">{rowName(row)}</UserText>
            </Link>
          </li>
        ))
      )}
    </Panel>
  )
}

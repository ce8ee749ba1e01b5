import { useQueries } from '@tanstack/react-query'
import { Fragment } from 'react'
import { links } from '@/lib/resources'
import { resources, type Tag } from '@/data/resources'
import { countText } from '@/lib/range-text'
import { Link } from './link'
import { textLink } from './ui/classes'

interface LinkedRowsProps {
  to: Tag
  id: string
}

/** Shows how many rows of other lists link to a row, with links to them. */
export function LinkedRows({ to, id }: LinkedRowsProps) {
  const from = links
    .filter((link) => link.to === to)
    .flatMap(({ from: tag, field }) =>
      resources.filter((one) => one.tag === tag).map((resource) => ({ resource, field })),
    )
  const counts = useQueries({
    queries: from.map(({ resource: { tag, read }, field }) => ({
      queryKey: [{ tags: [tag], linkedTo: id, field }],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = { [field]: id, limit: 1 } as { limit: number }
        return (await read({ query, signal })).data.count
      },
    })),
  })
  const known = from.flatMap((link, index) => {
    const count = counts[index]?.data
    return count === undefined ? [] : [{ ...link, count }]
  })
  if (known.length === 0) return null
  return (
    <p className="pb-4 text-xs text-muted-foreground">
      {known.map(({ resource: { tag, noun, to: list }, field, count }, index) => (
        <Fragment key={`${tag} ${field}`}>
          {index > 0 && <span>{', '}</span>}
          <Link to={list} search={{ [field]: id } as never} className={textLink}>
            {countText(count, noun, tag)}
          </Link>
        </Fragment>
      ))}
    </p>
  )
}

import { type ListedResource, resources, type Tag } from './resources'

interface Link {
  /** The rows with the field. */
  from: Tag
  field: `${string}_id`
  /** The linked rows. */
  to: Tag
  /** What happens to the row when the linked one is deleted. */
  onDelete: 'refuse' | 'clear' | 'delete'
}

/** All fields that link rows to others, one line for each. */
export const links: readonly Link[] = []

/** The lists with rows that link to those of a list, and by which field. */
export function linksTo(tag: Tag): { resource: ListedResource; field: string }[] {
  const all = links.filter(({ to }) => to === tag)
  return all.flatMap(({ from, field }) =>
    resources.filter((one) => one.tag === from).map((resource) => ({ resource, field })),
  )
}

/** The lists that show names of these rows, and change with them. */
export const tagsLinkedTo = (tags: readonly Tag[]): Tag[] =>
  links.filter(({ to }) => tags.includes(to)).map(({ from }) => from)

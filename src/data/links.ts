import type { Tag } from './resources'

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

/** The lists that show names of these rows, and change with them. */
export const tagsLinkedTo = (tags: readonly Tag[]): Tag[] =>
  links.filter(({ to }) => tags.includes(to)).map(({ from }) => from)

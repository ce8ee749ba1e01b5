interface Resource {
  /** The plural in the contract, which is the path of its page, too. */
  tag: string
  noun: string
  title: string
  /** Whether each row has a page of its own. Other rows open in a dialog of their list. */
  hasPages?: true
  links?: Readonly<Record<`${string}_id`, { to: string; onDelete: OnDelete }>>
}

/** What happens to a row when the one that it links to is deleted. */
type OnDelete = 'refuse' | 'clear' | 'delete'

/** All resources that belong to accounts. This file imports no library, because the head script contains it. */
const listed = [{ tag: 'items', noun: 'item', title: 'Items' }] as const satisfies readonly Resource[]

export type ResourceTag = (typeof listed)[number]['tag']

export type PagedTag = Extract<(typeof listed)[number], { hasPages: true }>['tag']

export const resources: readonly (Resource & { tag: ResourceTag })[] = listed

/** Resources that the product had once, for the words of the audit log. */
export const formerResources: readonly Pick<Resource, 'tag' | 'title' | 'noun'>[] = []

/** A tag of operations in openapi.json. Each query key contains the tag of its operation. */
export type Tag = 'users' | 'audit' | ResourceTag

export const links = resources.flatMap(({ tag, links: own = {} }) =>
  Object.entries(own).map(([field, { to, onDelete }]) => ({ from: tag as Tag, field, to: to as Tag, onDelete })),
)

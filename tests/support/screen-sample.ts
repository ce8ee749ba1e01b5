import { links, resources } from '../../src/lib/resources.ts'
import { sampleOfTable, type SampleField } from './samples.ts'

export interface ScreenSample {
  path: string
  title: string
  noun: string
  Noun: string
  /** The first field names the row. */
  fields: readonly [Typed, ...Typed[]]
  /** The filters of the list. Of a time, a day is typed. */
  filters: readonly { name: string; label: string; value: string; isRange: boolean; isTime: boolean }[]
  /** The fields for files, which nothing is typed into. */
  files: readonly { name: string; label: string }[]
  linked: readonly LinkedSample[]
  body: object
}

interface LinkedSample {
  field: string
  name: string
  to: string
}

type Typed = Pick<SampleField, 'label' | 'text' | 'shown'>

export function screenOf(table: string): ScreenSample {
  const { noun, fields, files, filtered, ranges } = sampleOfTable(table)
  const isFilter = ({ name }: SampleField) => filtered.includes(name) || ranges.includes(name)
  const toFilter = ({ name, label, kind, full, least }: SampleField) => {
    const isRange = ranges.includes(name)
    const value =
      kind === 'boolean' ? 'yes' : kind === 'choice' ? String(least) : String(full).slice(0, isRange ? 10 : undefined)
    return { name: isRange ? `${name}_from` : name, label, value, isRange, isTime: kind === 'time' }
  }
  return {
    path: `/${table}`,
    title: resources.find(({ tag }) => tag === table)?.title ?? '',
    noun,
    Noun: noun.charAt(0).toUpperCase() + noun.slice(1),
    fields: fields.filter(({ full }) => full !== null) as unknown as readonly [Typed, ...Typed[]],
    filters: fields.filter(isFilter).map(toFilter),
    files: fields.filter(({ name }) => files.includes(name)),
    // Tests have no rows that link to one of their own list.
    linked: links
      .filter(({ from, to }) => from === table && to !== table)
      .map(({ field, to }) => ({ field, name: sampleOfTable(to).searched[0], to })),
    body: Object.fromEntries(fields.map(({ name, full }) => [name, full])),
  }
}

import { useState } from 'react'
import * as z from 'zod/mini'
import { CheckboxField, SelectField, TextField } from '@/components/form/fields'
import { useZodForm } from '@/components/form/use-form'
import type { Column } from '@/components/list/column'
import { DataTable } from '@/components/list/data-table'
import { Moment } from '@/components/time'
import { type Ends, FilterDays } from '@/components/list/filter-time'
import { Button } from '@/components/ui/button'
import { Dash } from '@/components/ui/missing'
import { UserText } from '@/components/ui/user-text'
import { useRowName } from '@/kinds/link/picker'
import { FilterChoices } from '@/components/list/filter-choices'
import { ChoiceBadge } from '@/kinds/choice/cell'
import { DateField } from '@/kinds/date/field'
import { FileLink } from '@/kinds/file/cell'
import { FileField } from '@/kinds/file/field'
import { FileView } from '@/kinds/file/view'
import { RowLink } from '@/kinds/link/cell'
import { LinkField } from '@/kinds/link/field'
import { FilterLinked } from '@/kinds/link/filter'
import { NumberField } from '@/kinds/number/field'
import { FilterNumbers } from '@/kinds/number/filter'
import { TimeField } from '@/kinds/time/field'
import { resources } from '@/data/resources'
import { LAST_DAY } from '@/lib/day-or-time'
import { fileIn } from '@/lib/file-text'
import { isAtLeast, readDecimal } from '@/lib/number-text'
import { dayText } from '@/lib/time-text'
import { day, decimal, instant, linkedRow, oneOf, requiredText, uploadedFile } from '@/lib/validation/rules'

const phases = { enum: ['open', 'in_progress', 'done'] } as const
const price = { 'x-decimal': { minimum: '0.00', maximum: '99999999.99' } }

const schema = z.object({
  title: requiredText('Title is required', { 'x-visible': '.', maxLength: 255 }),
  urgent: z.boolean(),
  phase: oneOf(phases),
  due_on: day(),
  due_at: instant(),
  price: decimal(price),
  scan: uploadedFile(),
  parent_id: linkedRow(),
})

type Values = z.infer<typeof schema>
type Row = Values & { id: string }

const anything: Ends = { from: undefined, to: undefined }

const first: Values = {
  title: 'Plan',
  urgent: true,
  phase: 'open',
  due_on: '2026-11-21',
  due_at: '2026-11-21T14:03:00.000Z',
  price: '12.50',
  scan: '',
  parent_id: '',
}

const [linked] = resources

const columns: readonly Column<Row>[] = [
  { header: 'Title', role: 'title', cell: ({ title }) => <UserText show="cell">{title}</UserText> },
  { header: 'Urgent', kind: 'flag', isNamed: true, cell: ({ urgent }) => (urgent ? 'Yes' : 'No') },
  { header: 'Phase', kind: 'choice', cell: ({ phase }) => <ChoiceBadge value={phase} values={phases.enum} /> },
  { header: 'Due On', isNamed: true, kind: 'time', cell: ({ due_on }) => due_on && dayText(due_on) },
  { header: 'Due At', isNamed: true, kind: 'time', cell: ({ due_at }) => due_at && <Moment time={due_at} /> },
  { header: 'Price', kind: 'number', isNamed: true, cell: ({ price: value }) => value },
  { header: 'Scan', isNamed: true, cell: (row) => <ScanCell {...row} /> },
  { header: 'Parent', isNamed: true, cell: (row) => <ParentCell {...row} /> },
]

export function FieldsExample() {
  const form = useZodForm(schema, first)
  const [saved, setSaved] = useState(first)
  const [phase, setPhase] = useState<string>()
  const [days, setDays] = useState<Ends>(anything)
  const [prices, setPrices] = useState<Ends>(anything)
  const [parent, setParent] = useState<string>()
  const { control } = form
  const savedScan = fileIn(saved.scan)
  const isShown =
    (phase ?? saved.phase).split(',').includes(saved.phase) &&
    saved.due_on >= (days.from ?? '') &&
    saved.due_on <= (days.to ?? LAST_DAY) &&
    (prices.from === undefined || isAtLeast(saved.price, prices.from)) &&
    (prices.to === undefined || isAtLeast(prices.to, saved.price)) &&
    (parent ?? saved.parent_id) === saved.parent_id
  return (
    <>
      <form
        aria-label="Fields"
        noValidate
        className="grid gap-x-6 sm:grid-cols-2"
        onSubmit={(event) => void form.handleSubmit(setSaved)(event)}
      >
        <TextField control={control} name="title" label="Title" required />
        <SelectField control={control} name="phase" label="Phase" values={phases.enum} />
        <DateField control={control} name="due_on" label="Due On" />
        <TimeField control={control} name="due_at" label="Due At" />
        <NumberField control={control} name="price" label="Price" bounds={price} />
        {linked && <LinkField control={control} name="parent_id" label="Parent" to={linked.tag} />}
        <FileField control={control} name="scan" label="Scan" />
        <CheckboxField control={control} name="urgent" label="Urgent" />
        <div>
          <Button type="submit">Save</Button>
        </div>
      </form>
      <section aria-label="Filters" className="flex flex-wrap items-end gap-4">
        <FilterChoices label="Phase" value={phase} values={phases.enum} onChoose={setPhase} />
        <FilterDays label="Due On" {...days} onChange={setDays} />
        <FilterNumbers label="Price" read={(typed) => readDecimal(typed, 2)} {...prices} onChange={setPrices} />
        {linked && saved.parent_id !== '' && (
          <>
            <Button variant="secondary" onClick={() => setParent(saved.parent_id)}>
              Only of this parent
            </Button>
            <FilterLinked label="Parent" to={linked.tag} value={parent} onChoose={setParent} />
          </>
        )}
      </section>
      <DataTable label="Rows" columns={columns} rows={isShown ? [{ ...saved, id: '1' }] : []} />
      {savedScan && <FileView file={savedScan} />}
    </>
  )
}

function ScanCell({ scan }: Row) {
  const file = fileIn(scan)
  return file ? <FileLink file={file} /> : <Dash />
}

function ParentCell({ parent_id: id }: Row) {
  const name = useRowName(linked ? linked.tag : 'users', id)
  return linked && name ? <RowLink to={linked.tag} id={id} name={name} /> : <Dash />
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { foundRowsOptions, resourceOf, rowNameOptions, useRowName } from '@/data/api/use-row'
import type { Tag } from '@/data/resources'
import { useSearchText } from '@/data/use-search-text'
import { rowName } from '@/lib/row-name'
import { Combobox } from '../combobox'
import { Field, type FieldProps } from './field'

const MAX_FOUND = 20

interface LinkFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  to: Tag
}

/** A row of another resource, which is searched on the server. The value is its id; empty text removes it. */
export function LinkField<Values extends FieldValues>({ to, ...props }: LinkFieldProps<Values>) {
  const { control, name } = props
  const { field } = useController({ control, name })
  const value = String(field.value)
  const id = useId()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const known = useRowName(to, value)
  const { q, isAsked, isEmpty } = useSearchText(typed ?? '')
  const query = useQuery({
    ...foundRowsOptions(to, isEmpty ? '' : q, MAX_FOUND),
    enabled: isOpen && (isEmpty || isAsked),
  })
  const found = isEmpty || isAsked ? query.data : undefined

  // In a short dialog, the list would begin below its edge.
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen && found) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, found])

  function choose(row: { id: string }): void {
    queryClient.setQueryData(rowNameOptions(to, row.id).queryKey, rowName(row))
    field.onChange(row.id)
    setTyped(undefined)
    setOpen(false)
  }

  function statusText(): string {
    if (query.isError) return `${resourceOf(to).title} could not be searched.`
    if (!found) return 'Searching…'
    if (found.data.length === 0) return 'Nothing found'
    return found.count > found.data.length
      ? `The first ${found.data.length} of ${found.count.toLocaleString('en')}`
      : ''
  }

  return (
    <Field {...props} id={id}>
      {(state) => (
        <div ref={box} className="scroll-m-4">
          <Combobox
            label={props.label}
            field={{ ...state, id, name, ref: field.ref, placeholder: known === null ? 'Not available' : undefined }}
            text={typed ?? (value === '' ? '' : (known ?? ''))}
            onText={(text) => {
              setTyped(text)
              setOpen(true)
              if (text === '') field.onChange('')
            }}
            choices={(found?.data ?? []).map((row) => ({
              id: row.id,
              group: '',
              name: rowName(row),
              onChoose: () => choose(row),
            }))}
            status={statusText()}
            isOpen={isOpen}
            onOpen={() => setOpen(true)}
            onLeave={() => {
              setTyped(undefined)
              setOpen(false)
            }}
            onBlur={field.onBlur}
            listClassName="mt-1 max-h-64 rounded-lg border py-1"
          />
        </div>
      )}
    </Field>
  )
}

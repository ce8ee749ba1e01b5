import { useEffect, useImperativeHandle, useRef } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { Field } from '@/components/form/field'
import { Textarea } from '@/components/ui/input'

export function CsvField(props: { control: Control<{ text: string }>; selectedLine: number | undefined }) {
  const { control, selectedLine } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLPreElement>(null)
  const { ref, ...registered } = control.register('text')
  useImperativeHandle(ref, () => area.current)
  const lines = useWatch({ control, name: 'text' }).split(/\r\n|\r|\n/).length
  useEffect(() => {
    if (selectedLine !== undefined && area.current) selectLine(area.current, selectedLine)
  }, [selectedLine])
  return (
    <Field control={control} name="text" label="File content" required>
      {(state) => (
        <div className="flex h-64 overflow-hidden rounded-md border border-input has-aria-invalid:border-destructive">
          <pre
            ref={gutter}
            aria-hidden
            className="shrink-0 overflow-hidden border-r bg-muted px-2 pt-2 pb-8 text-right font-mono text-sm leading-6 text-muted-foreground select-none"
          >
            {numbersTo(lines)}
          </pre>
          <Textarea
            {...registered}
            {...state}
            ref={area}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            placeholder={'email,full_name\nada@example.com,Ada Lovelace'}
            className="min-h-20 resize-none rounded-none border-0 py-2 font-mono leading-6 focus-visible:-outline-offset-2"
            onScroll={({ currentTarget }) => {
              if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
            }}
          />
        </div>
      )}
    </Field>
  )
}

const numbersTo = (last: number): string => Array.from({ length: last }, (_, index) => index + 1).join('\n')

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n')
  const begin = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  area.focus()
  area.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0))
  area.scrollTop = (area.scrollHeight / lines.length) * (line - 1) - area.clientHeight / 2
  area.scrollLeft = 0
}

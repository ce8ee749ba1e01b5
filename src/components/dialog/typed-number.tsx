import { type Ref, useId, useRef, useState } from 'react'
import { Input } from '../ui/input'

/** Asks the user to type a number before they confirm. Without a number, it does not ask. */
export function useTypedNumber(number: number | undefined, onConfirm: () => void) {
  const input = useRef<HTMLInputElement>(null)
  const [isMistyped, setMistyped] = useState(false)

  function confirm(): void {
    const isTyped = number === undefined || Number(input.current?.value.replaceAll(/[\s,.]/g, '')) === number
    setMistyped(!isTyped)
    if (isTyped) onConfirm()
    else input.current?.focus()
  }

  return {
    confirm,
    field:
      number === undefined ? null : (
        <NumberForm ref={input} number={number} isMistyped={isMistyped} onConfirm={confirm} />
      ),
  }
}

interface NumberFormProps {
  ref: Ref<HTMLInputElement>
  number: number
  isMistyped: boolean
  onConfirm: () => void
}

function NumberForm({ ref, number, isMistyped, onConfirm }: NumberFormProps) {
  const id = useId()
  return (
    <form
      className="pb-4"
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm()
      }}
    >
      <div className="mb-1 flex items-end justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {`Type ${number} to confirm`}
        </label>
        {isMistyped && (
          <p id={`${id}-error`} role="alert" className="-mt-3 text-right text-xs text-destructive">
            {`The number must be ${number}.`}
          </p>
        )}
      </div>
      <Input
        ref={ref}
        id={id}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={isMistyped}
        aria-describedby={isMistyped ? `${id}-error` : undefined}
      />
    </form>
  )
}

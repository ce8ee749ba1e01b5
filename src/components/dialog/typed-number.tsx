import { useId, useRef, useState } from 'react'
import { Input } from '../ui/input'

export function useTypedNumber(number: number | undefined, onConfirm: () => void) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isMistyped, setMistyped] = useState(false)

  function confirm(): void {
    const isTyped = number === undefined || Number(input.current?.value.replaceAll(/[\s,.]/g, '')) === number
    setMistyped(!isTyped)
    if (isTyped) onConfirm()
    else input.current?.focus()
  }

  const field = number !== undefined && (
    <form
      className="pb-4"
      onSubmit={(event) => {
        event.preventDefault()
        confirm()
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
        ref={input}
        id={id}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={isMistyped}
        aria-describedby={isMistyped ? `${id}-error` : undefined}
      />
    </form>
  )
  return { confirm, field }
}

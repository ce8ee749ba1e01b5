import { useReducer, useState } from 'react'
import { brokenRules, type TextRule } from '@/lib/validation/text-rules'

interface TextFieldRules {
  rules: readonly TextRule[]
  /** Makes of what was typed what is checked and sent. */
  tidy?: (text: string) => string
}

/**
 * A form of single texts without the form library and the schemas, for pages that show one at once: those are heavier than all
 * else of such a page (docs/decisions/0019). What is typed stays in the inputs; fields are checked as SPEC 5 has it, on blur and
 * when the form is sent, and after that with every key.
 */
export function useTextForm<Name extends string>(fields: Record<Name, TextFieldRules>) {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const [form] = useState(() => makeTextForm(fields, render))
  return form
}

export type TextForm<Name extends string> = ReturnType<typeof makeTextForm<Name>>

/** @param render is called when something may look different: what is in the form, or what is said about it */
function makeTextForm<Name extends string>(fields: Record<Name, TextFieldRules>, render: () => void) {
  type Values = Record<Name, string>
  const names = Object.keys(fields) as Name[]
  /** Whoever writes into the inputs changes this too, and renders. */
  const state = {
    inputs: {} as Partial<Record<Name, HTMLInputElement>>,
    messages: {} as Partial<Record<Name, readonly string[]>>,
    isSent: false,
    render,
  }

  const textOf = (name: Name): string => state.inputs[name]?.value ?? ''
  const tidyTextOf = (name: Name): string => fields[name].tidy?.(textOf(name)) ?? textOf(name)
  const valuesBy = (read: (name: Name) => string) =>
    Object.fromEntries(names.map((name) => [name, read(name)])) as Values

  /** @returns whether nothing is wrong with it */
  function check(name: Name): boolean {
    const broken = brokenRules(tidyTextOf(name), fields[name].rules)
    state.messages[name] = broken
    render()
    return broken.length === 0
  }

  const setFocus = (name: Name): void => state.inputs[name]?.focus()

  return {
    state,
    messagesOf: (name: Name) => state.messages[name] ?? [],
    /** What the input of a field takes. */
    register: (name: Name) => ({
      name,
      ref: (input: HTMLInputElement | null) => {
        if (input) state.inputs[name] = input
      },
      onBlur: () => void check(name),
      onInput: () => void (state.isSent ? check(name) : render()),
    }),
    getValues: () => valuesBy(textOf),
    /** As they would be sent. */
    tidyValues: () => valuesBy(tidyTextOf),
    setFocus,
    handleSubmit: (send: (values: Values) => Promise<void>) => async () => {
      state.isSent = true
      let firstBroken: Name | undefined
      for (const name of names) if (!check(name)) firstBroken ??= name
      if (firstBroken === undefined) await send(valuesBy(tidyTextOf))
      else setFocus(firstBroken)
    },
  }
}

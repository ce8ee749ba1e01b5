import { type FocusEvent, type SubmitEvent, useState } from 'react'
import { brokenRules, emailRules, existingPasswordRules, tidyAddress } from '@/lib/validation/text-rules'

const rules = { username: emailRules, password: existingPasswordRules }

type Name = keyof typeof rules
const names = Object.keys(rules) as Name[]

interface LoginValues {
  username: string
  password: string
}

/**
 * The log-in form's own small part of what a form library does elsewhere: that library and the schemas are heavier than all the
 * rest of the page (docs/decisions/0019). The values stay in the inputs; fields are checked as SPEC 5 has it, on blur and when
 * the form is sent, and after that with every key.
 */
export function useLoginFields() {
  const [messages, setMessages] = useState<Record<Name, string[]>>({ username: [], password: [] })
  const [sent, setSent] = useState(false)

  const check = (name: Name, value: string): void =>
    setMessages((current) => ({ ...current, [name]: brokenRules(toValue(name, value), rules[name]) }))

  return {
    messages,
    /** What the input of a field takes. */
    register: (name: Name) => ({
      name,
      onBlur: (event: FocusEvent<HTMLInputElement>) => check(name, event.target.value),
      ...(sent && { onChange: (event: { target: HTMLInputElement }) => check(name, event.target.value) }),
    }),
    /** @returns the values, or nothing when there is something wrong with them: then the focus is on the first such field */
    take: (event: SubmitEvent<HTMLFormElement>): LoginValues | undefined => {
      setSent(true)
      const form = new FormData(event.currentTarget)
      const values = { username: '', password: '' }
      let firstBroken: Name | undefined
      for (const name of names) {
        const text = form.get(name)
        values[name] = toValue(name, typeof text === 'string' ? text : '')
        check(name, values[name])
        if (brokenRules(values[name], rules[name]).length > 0) firstBroken ??= name
      }
      if (firstBroken === undefined) return values
      focusField(event.currentTarget, firstBroken)
      return undefined
    },
  }
}

/** A password counts as it is. */
function toValue(name: Name, text: string): string {
  return name === 'username' ? tidyAddress(text) : text
}

export function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}

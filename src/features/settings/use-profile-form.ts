import { useState } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { type TextForm, useTextForm } from '@/components/form/use-text-form'
import { emailRules, lengthOf, rule, tidyAddress } from '@/lib/validation/text-rules'

const fields = {
  full_name: {
    // SPEC 9: shorter here than the API would have it.
    rules: [rule((text) => lengthOf(text) <= 30, 'Full name must be at most 30 characters')],
    tidy: (text: string) => text.trim(),
  },
  email: { rules: emailRules, tidy: tidyAddress },
}

type Name = keyof typeof fields
type Values = Record<Name, string>

/** As an input shows them: it drops line breaks, which the API allows in a name. */
export function toValues(user: UserPublic): Values {
  return { full_name: (user.full_name ?? '').replaceAll(/[\r\n]/g, ''), email: user.email }
}

/** The form stands there as soon as the page does, and so does without the form library: docs/decisions/0019. */
export function useProfileForm(user: UserPublic) {
  const texts = useTextForm(fields)
  const [form] = useState(() => withDefaults(texts, toValues(user)))
  return form
}

/** A form of texts that knows what it was filled with, and what differs from that. */
function withDefaults(texts: TextForm<Name>, initial: Values) {
  const { state, getValues } = texts
  const names = Object.keys(fields) as Name[]
  const formState = { defaultValues: initial }

  /** Not before its input is there. */
  const isDirty = (name: Name): boolean => name in state.inputs && getValues()[name] !== formState.defaultValues[name]

  /** Puts values into those inputs that may take them. */
  function write(values: Values, mayTake: (name: Name) => boolean): void {
    for (const name of names) {
      const input = state.inputs[name]
      if (!input || !mayTake(name)) continue
      // Written once more, the same text would take the caret to its end.
      if (input.value !== values[name]) input.value = values[name]
      delete state.messages[name]
    }
  }

  function reset(values: Values, { keepDirtyValues = false, keepDefaultValues = false } = {}): void {
    write(values, (name) => !keepDirtyValues || !isDirty(name))
    if (!keepDefaultValues) formState.defaultValues = values
    if (!keepDirtyValues) state.isSent = false
    state.render()
  }

  return {
    ...texts,
    register: (name: Name) => ({ ...texts.register(name), defaultValue: initial[name] }),
    formState,
    isDirty: () => names.some(isDirty),
    reset,
    /** Shows what is stored now, except where somebody is writing: there it has not been seen. */
    follow: (stored: Values) => {
      const seen = { ...stored }
      for (const name of names) if (isDirty(name)) seen[name] = formState.defaultValues[name]
      reset(seen, { keepDirtyValues: true })
    },
    /** It is saved; what was typed since it was sent stays. */
    finish: (stored: Values, sent: Values) => {
      const shown = texts.tidyValues()
      write(stored, (name) => shown[name] === sent[name])
      formState.defaultValues = stored
      state.isSent = false
      state.render()
    },
  }
}

import { fireEvent, screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** @param text to type or to select; `true` ticks a checkbox */
export async function fillInput(actor: UserEvent, input: HTMLElement, text: string | true): Promise<void> {
  if (text === true) await actor.click(input)
  else if (input instanceof HTMLSelectElement) await actor.selectOptions(input, text)
  else if (input.role === 'combobox') {
    await actor.clear(input)
    await actor.type(input, text)
    await actor.click(await screen.findByRole('option', { name: text }))
  } else if (input instanceof HTMLInputElement && input.type === 'datetime-local') {
    // jsdom does not support typing into the parts of a date.
    fireEvent.change(input, { target: { value: text } })
    fireEvent.blur(input)
  } else {
    await actor.clear(input)
    await actor.type(input, text)
  }
}

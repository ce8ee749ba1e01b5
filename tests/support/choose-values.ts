import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

export async function chooseValues(actor: UserEvent, label: string, ...values: string[]): Promise<void> {
  await actor.click(screen.getByLabelText(label))
  for (const name of values) await actor.click(await screen.findByRole('menuitemcheckbox', { name }))
  await actor.keyboard('{Escape}')
}

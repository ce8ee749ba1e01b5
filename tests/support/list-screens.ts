import { itemScreen, makeItem } from './items.ts'
import type { ScreenSample } from './screen-sample.ts'

interface ListScreen {
  screen: ScreenSample
  make: (values: object) => Record<string, unknown> & { id: string }
}

/** The list page of each resource. */
const listScreens: Record<string, ListScreen> = { items: { screen: itemScreen, make: makeItem } }

export function listScreenOf(resource: string): ListScreen {
  const found = listScreens[resource]
  if (!found) throw new Error(`No list of ${resource} in tests/support/list-screens.ts`)
  return found
}

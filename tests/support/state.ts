import type { Page } from '@playwright/test'
import type { Viewer } from './scene.ts'

/** A state of the user interface. The accessibility checks and `npm run shots` visit all of them. */
export interface State {
  name: string
  as: Viewer
  url: string
  intercept?: (page: Page) => Promise<unknown>
  act?: (page: Page) => Promise<unknown>
  /** Limits the state to screens where the sidebar is off-canvas. */
  narrowOnly?: true
  /** Only for `npm run shots`. The accessibility checks find all of its elements in other states. */
  isPictureOnly?: true
}

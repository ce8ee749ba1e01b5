import type { Locator, Page } from '@playwright/test'

export const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

export const middle = ({ y, height }: { y: number; height: number }) => y + height / 2
export const end = ({ x, width }: { x: number; width: number }) => x + width

/** The part of a dialog that scrolls. */
export const dialogBody = (dialog: Locator): Locator =>
  dialog.locator(':has(> [id^=radix])').filter({ hasNot: dialog.page().getByRole('heading') })

/** @returns the height of the first time in a table, and how much of its cell is cut, both in pixels */
export async function firstTime(page: Page): Promise<{ height: number; cut: number | null }> {
  const time = page.locator('td time').first()
  const { height } = await boxOf(time)
  const cut = await time.evaluate(({ parentElement: cell }) => cell && cell.scrollWidth - cell.clientWidth)
  return { height, cut }
}

/** The font of the page's heading. A page view has Geist only if it is there before the first text. */
export async function headingFont(page: Page): Promise<string | undefined> {
  // Node ids are only valid after this event.
  await page.waitForLoadState('domcontentloaded')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
  return fonts[0]?.familyName
}

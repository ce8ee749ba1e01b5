import type { Locator, Page } from '@playwright/test'

/** Before the press, after the page before was shown. */
const READ_MS = 3000
/** The pointer is on the control before the press. */
const REST_MS = 150

/** An element that is shown when the content is, and is not `inert`. */
export interface Shown {
  selector: string
  /** Part of its text or value. */
  text?: string
}

/**
 * Presses a control, whose pointer has rested on it, or goes back.
 * @returns milliseconds from the press until the content was painted
 */
export async function timePress(page: Page, control: Locator | 'back', shown: Shown): Promise<number> {
  await page.waitForTimeout(READ_MS)
  if (control !== 'back') {
    await control.hover()
    await page.waitForTimeout(REST_MS)
  }
  const time = page.evaluate(
    ({ shown: { selector, text = '' }, goesBack }) =>
      new Promise<number>((resolve) => {
        // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
        const isShown = (): boolean =>
          Array.from(document.querySelectorAll(selector)).some(
            (element) =>
              !element.closest('[inert]') &&
              `${element.textContent} ${(element as HTMLInputElement).value}`.includes(text),
          )
        const follow = (pressedAt: number): void => {
          const look = (): void => {
            // A task after the frame, when it is painted.
            if (isShown()) setTimeout(() => resolve(performance.now() - pressedAt))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }
        document.documentElement.dataset.isTimed = 'true'
        if (goesBack) {
          follow(performance.now())
          history.back()
        } else addEventListener('pointerdown', ({ timeStamp }) => follow(timeStamp), { once: true, capture: true })
      }),
    { shown, goesBack: control === 'back' },
  )
  if (control !== 'back') {
    await page.locator('html[data-is-timed]').waitFor({ state: 'attached' })
    await page.mouse.down()
    await page.mouse.up()
  }
  const result = await time
  await page.evaluate(() => void delete document.documentElement.dataset.isTimed)
  return result
}

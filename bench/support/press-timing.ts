import type { Locator, Page } from '@playwright/test'

const READ_MS = 3000
const REST_MS = 150

/** The content to wait for, which must not be `inert`. */
export interface Shown {
  selector: string
  text?: string
}

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
            // A task after the frame runs when the frame is painted.
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

import type { Page } from '@playwright/test'
import { enterState, states } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const state of states) {
  test(
    `${state.name}: fingers hit what they aim at`,
    { tag: '@phone' },
    async ({ page, scene, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 4(0[049]|12)/, /ApiError: Conflict/)
      await enterState(page, state, scene[state.as])
      expect(await smallTargets(page)).toEqual([])
      expect(await zoomingInputs(page)).toEqual([])
    },
  )
}

/** What can be pressed and is less than 44 px in height or width. Links within a text are as tall as the text (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(
      document.querySelectorAll<HTMLElement>(
        'a[href], button:not(:disabled), [role=menuitem], [role=tab], input, textarea',
      ),
    )
      .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true], [data-sonner-toast]'))
      .filter((element) => !(element.tagName === 'A' && element.closest('[class*=bg-muted] div')))
      .map((element) => element.closest('label') ?? element)
      .filter((element) => !['checkbox', 'radio'].includes((element as HTMLInputElement).type))
      .flatMap((element) => {
        const { width, height } = element.getBoundingClientRect()
        return width < 43.5 || height < 43.5
          ? [`${Math.round(width)}×${Math.round(height)}: ${element.outerHTML.slice(0, 160)}`]
          : []
      }),
  )
}

/** Fields whose text is under 16 px: a phone zooms in on them. */
function zoomingInputs(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('input, textarea'))
      .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 16)
      .filter((element) => !['checkbox', 'radio'].includes((element as HTMLInputElement).type))
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}

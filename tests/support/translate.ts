import { expect, type Page } from '@playwright/test'

/** Changes each page as a translating browser does: elements replace the texts. The words stay the same. */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const text of texts) {
        if (text.parentElement?.closest('head, font, script, style, noscript, template, textarea')) continue
        const outer = document.createElement('font')
        outer.style.verticalAlign = 'inherit'
        outer.append(outer.cloneNode())
        outer.firstElementChild?.append(text.data)
        text.replaceWith(outer)
      }
      // Ignores the changes of the observer itself.
      observer.takeRecords()
    })
    observer.observe(document, { childList: true, characterData: true, subtree: true })
  })
}

/** Opens a page with a token, and waits until it is translated. */
export async function openTranslated(page: Page, token: string | null, url: string): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('access_token', value), token ?? '')
  await page.goto(url)
  await expect(page.locator('h1 font font').first()).toBeVisible()
}

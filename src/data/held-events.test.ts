import { expect, onTestFinished, test } from 'vitest'
import { holdEvents, keepControls, releaseHeldEvents } from './held-events'

function newPage(): HTMLElement {
  const page = document.createElement('div')
  page.innerHTML = '<input name="email" /><input name="password" />'
  document.body.append(page)
  onTestFinished(() => page.remove())
  return page
}

test('the focus goes over to a control that is rendered anew, also where React stops the events', () => {
  const page = newPage()
  holdEvents()
  keepControls(page)
  page.addEventListener('focusin', (event) => event.stopPropagation(), { capture: true })
  const [email] = page.querySelectorAll('input')
  email?.focus()
  const anew = email?.cloneNode() as HTMLInputElement
  email?.replaceWith(anew)
  expect(document.activeElement).toBe(document.body)
  releaseHeldEvents()
  expect(document.activeElement).toBe(anew)
})

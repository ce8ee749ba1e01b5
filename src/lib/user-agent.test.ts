import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeUserAgent } from './user-agent'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Firefox on iPhone', `${phone} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/142.0.0.0 Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Chrome on iPhone', `${phone} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
  ['Edge on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0`],
  ['Edge on iPhone', `${phone} Version/18.0 EdgiOS/142.0.3595.66 Mobile/15E148 Safari/604.1`],
  ['Opera on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/141.0 Safari/537.36 OPR/125.0`],
  ['Samsung Internet on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0`],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  ],
  ['Safari on iPhone', `${phone} Version/26.0 Mobile/15E148 Safari/604.1`],
  [
    'Safari on iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox', 'Firefox/145.0'],
  ['Unknown browser', 'curl/8.17.0'],
  ['Unknown browser', ''],
  ['Unknown browser', null],
])('%s: %s', (text, userAgent) => {
  expect(describeUserAgent(userAgent)).toBe(text)
})

test('the description contains no text from the client', () => {
  const names = /^(Unknown browser|[A-Z][A-Za-z ]+?( on [A-Za-z]+)?)$/
  const sent = fc
    .array(fc.constantFrom('Firefox/', 'Chrome/', 'Windows', 'iPad', '<b>', 'x', ' ', '\0'))
    .map((parts) => parts.join(''))
  const isClean = (userAgent: string) => names.test(describeUserAgent(userAgent))
  expect(() => fc.assert(fc.property(sent, isClean))).not.toThrow()
})

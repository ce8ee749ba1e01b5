import { assert, property, string } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { normalizeText, toSearchWords } from './normalized-text.ts'

test('accents and case do not matter', () => {
  expect(normalizeText('ÅÉ ﬁ Σας \u1100\u1161\u0301')).toBe('ae fi σασ \u1100\u1161')
})

test('the form is that of normalizing first', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 100 }), (text) => {
      const slow = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
      expect(normalizeText(text)).toBe(slow)
    }),
  )
})

test('combining marks are never normalized', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  expect(normalizeText(`a${'\u0316\u0301'.repeat(5_000)}b`)).toBe('ab')
  expect(normalize.mock.contexts.map(String)).toEqual(['ab'])
})

test.each(['\u2057', '\uFDFA', '\u{1F248}'])('the form of %s, repeated, has a bounded length', (letter) => {
  const text = letter.repeat(10_000)
  const form = normalizeText(text)
  expect(form.length).toBeLessThanOrEqual(3 * text.length + 1_000)
  expect(form.isWellFormed()).toBe(true)
})

test('a search has each word once, and none that another contains', () => {
  expect(toSearchWords(' note\u00A0NOTE notes order ')).toEqual(['notes', 'order'])
  expect(toSearchWords(Array.from({ length: 10 }, (_, index) => '\u2057'.repeat(index + 7)).join(' '))).toHaveLength(1)
  expect(toSearchWords('a b c d e f g h i j k')).toHaveLength(10)
})

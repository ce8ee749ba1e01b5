import { expect, test } from 'vitest'
import { letterOf } from './keys'

test.each([
  ['the letter', 'k', 'KeyK', 'k'],
  ['the letter with Caps Lock', 'K', 'KeyK', 'k'],
  ['the letter on Dvorak', 'k', 'KeyV', 'k'],
  ['another letter on Dvorak', 't', 'KeyK', 't'],
  ['a sign on Dvorak', '.', 'KeyE', '.'],
  ['its place on a Russian layout', 'л', 'KeyK', 'k'],
  ['its place on a Russian layout with Caps Lock', 'И', 'KeyB', 'b'],
  ['its place on a Greek layout', 'β', 'KeyB', 'b'],
  ['its place on a Hebrew layout', 'נ', 'KeyB', 'b'],
  ['its place on an Arabic layout, where the key has two letters', 'لا', 'KeyB', 'b'],
  ['a named key', 'Escape', 'Escape', 'escape'],
])('the letter of a key is %s', (_, key, code, letter) => {
  expect(letterOf({ key, code })).toBe(letter)
})

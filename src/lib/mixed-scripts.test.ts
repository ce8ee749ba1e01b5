import { expect, test } from 'vitest'
import { hasMixedScripts } from './mixed-scripts'

test.each([
  ['ada@example.com', false],
  ['jörg-2@exämple.de', false],
  ['иван@пример.рф', false],
  ['иван@example.com', false],
  ['李雷-lei@例子.公司', false],
  ['аdmin@example.com', true],
  ['admin@exаmple.com', true],
  ['οmega@example.com', true],
])('%s: %s', (address, isMixed) => {
  expect(hasMixedScripts(address)).toBe(isMixed)
})

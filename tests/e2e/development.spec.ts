import { globSync, readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'

/** Strings that minification keeps. */
const marks = { msw: 'mockServiceWorker', 'query devtools': 'tsqd', 'router devtools': 'outerDevtools' }

const sources = [
  'node_modules/msw/lib/browser/index.js',
  ...globSync('node_modules/@tanstack/{query-devtools/build,router-devtools-core/dist/esm}/*.js'),
]

const textOf = (files: string[]) => files.map((file) => readFileSync(file, 'utf8')).join('\n')

test('the built application has neither the mock nor the developer tools nor the examples', { tag: '@wide' }, () => {
  const packages = textOf(sources)
  const built = textOf(globSync('dist/**/*.{js,html}'))
  for (const [name, mark] of Object.entries(marks)) {
    expect(packages.includes(mark), `the mark of ${name}`).toBe(true)
    expect(built.includes(mark), name).toBe(false)
  }
  expect(globSync('dist/**/mockServiceWorker*')).toEqual([])
  const examples = 'Components for your own pages'
  expect(readFileSync('src/features/examples/examples-page.tsx', 'utf8')).toContain(examples)
  expect(built).not.toContain(examples)
})

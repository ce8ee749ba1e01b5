import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../test/new-folder.ts'
import { readEnvFile, readSettingsText, UnreadableFile } from './env-file.ts'

function fileOf(content: string | Buffer): string {
  const file = join(newFolder(), 'steward.env')
  writeFileSync(file, content)
  return file
}

const read = (content: string | Buffer) => Object.fromEntries(readEnvFile(fileOf(content)))

test.each([
  ['correct-horse#battery', 'correct-horse#battery'],
  ['#battery', '#battery'],
  ['correct-horse #battery', 'correct-horse'],
  ['correct-horse\t# battery', 'correct-horse'],
  [' #battery', ''],
  ['', ''],
  ['  with blanks  ', 'with blanks'],
  ['"  with blanks  "', '  with blanks  '],
  ['"correct # horse" # battery', 'correct # horse'],
  ['\'it is "quoted" \\n\'', 'it is "quoted" \\n'],
  ['`it\'s "quoted"`', 'it\'s "quoted"'],
  ['a"b', 'a"b'],
  ["it's", "it's"],
  ['smtp://user:a%23b@localhost:2525', 'smtp://user:a%23b@localhost:2525'],
  ['Steward <a@example.com>', 'Steward <a@example.com>'],
  ['a=b=c', 'a=b=c'],
  ['$HOME ${HOME} \\n', '$HOME ${HOME} \\n'],
  ['Пароль\u2028дня', 'Пароль\u2028дня'],
])('the value %j is read as %j', (written, value) => {
  expect(read(`BEFORE=1\nVALUE=${written}\nAFTER=2\n`)).toEqual({ BEFORE: '1', VALUE: value, AFTER: '2' })
})

test.each([
  ['line ends of Windows', 'ONE=1\r\nTWO=2\r\n'],
  ['line ends of old systems', 'ONE=1\rTWO=2'],
  ['a byte order mark', '\uFEFFONE=1\nTWO=2'],
  ['two of them', '\uFEFF\uFEFFONE=1\nTWO=2'],
  ['comments and empty lines', '# A=1\n\n  # B=1\n  ONE=1\n \t\nTWO=2'],
  ['export, and spaces', 'export ONE = 1\n\tTWO =2'],
  ['a setting twice, of which the last counts', 'ONE=0\nTWO=2\nONE=1'],
])('%s are read', (_what, content) => {
  expect(read(content)).toEqual({ ONE: '1', TWO: '2' })
})

const neither = 'is neither NAME=VALUE nor a comment'
const around = 'needs quotation marks around the whole value'

test.each([
  ['ONE: 1', neither],
  ['ONE', neither],
  ['set ONE=1', neither],
  ['=1', neither],
  ['ONE="1', around],
  ['ONE="1" and "2"', around],
  ["ONE='it's'", around],
  ['ONE="1"# a comment', around],
  ['ONE="a\\nb"', 'needs single quotation marks because of its backslash'],
])('%j is refused with its line, and nothing of it', (line, problem) => {
  const file = fileOf(`# Settings\n${line}\nTWO=2\n${line}\n`)
  expect(() => readEnvFile(file)).toThrow(new UnreadableFile(`${file}: line 2 ${problem}\n${file}: line 4 ${problem}`))
})

test.each([
  ['UTF-16 as Windows saves it', Buffer.from('\uFEFFONE=1\n', 'utf16le')],
  ['UTF-16 with its bytes swapped', Buffer.from('\uFEFFONE=1\n', 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from('ONE=1\n', 'utf16le')],
  ['Latin-1', Buffer.from('ONE=Köln\n', 'latin1')],
])('%s is refused', (_what, content) => {
  const file = fileOf(content)
  for (const reader of [readEnvFile, readSettingsText])
    expect(() => reader(file)).toThrow(new UnreadableFile(`${file} is not UTF-8; save it as UTF-8`))
})

test('a folder is refused', () => {
  const folder = newFolder()
  expect(() => readEnvFile(folder)).toThrow(`${folder} cannot be read: EISDIR`)
})

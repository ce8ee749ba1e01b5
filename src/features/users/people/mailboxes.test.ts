import { describe, expect, test } from 'vitest'
import { findInCell, findMailboxes } from './mailboxes'

const read = (text: string) =>
  findMailboxes(text).map(({ address, name }) => (name === null ? address : `${name} = ${address}`))

describe('findMailboxes', () => {
  test.each<[title: string, text: string, people: string[]]>([
    [
      'commas, semicolons, blanks and lines',
      'a@x.y,b@x.y; c@x.y d@x.y\r\ne@x.y\n',
      'abcde'.split('').map((one) => `${one}@x.y`),
    ],
    [
      'names',
      'Ada Lovelace <ada@x.y>, "Hopper, Grace" <grace@x.y>',
      ['Ada Lovelace = ada@x.y', 'Hopper, Grace = grace@x.y'],
    ],
    [
      'a name with a comma that is not in quotes',
      'zoe@x.y; Hopper, Dora <dora@x.y>',
      ['zoe@x.y', 'Hopper, Dora = dora@x.y'],
    ],
    ['an address as its own name', 'zoe@x.y <zoe@x.y>', ['zoe@x.y']],
    ['another address as the name', '"old@x.y" <zoe@x.y>, old@x.y <bo@x.y>', ['zoe@x.y', 'bo@x.y']],
    ['an address before a person, with a blank between', 'ada@x.y Bo Diaz <bo@x.y>', ['ada@x.y', 'Bo Diaz = bo@x.y']],
    ['people with blanks between', 'Ada <ada@x.y> Bo <bo@x.y>', ['Ada = ada@x.y', 'Bo = bo@x.y']],
    [
      'single quotes',
      "'Ada Lovelace' <ada@x.y>; 'Hopper, Dora' <dora@x.y>",
      ['Ada Lovelace = ada@x.y', 'Hopper, Dora = dora@x.y'],
    ],
    ['an address in single quotes', "'zoe@x.y' <zoe@x.y>, 'bo@x.y'", ['zoe@x.y', 'bo@x.y']],
    ['an apostrophe', "Ann O'Hara <o'hara@x.y>", ["Ann O'Hara = o'hara@x.y"]],
    ['typographic quotes', '“Ada” <ada@x.y>, ‘Bo’ <bo@x.y>', ['Ada = ada@x.y', 'Bo = bo@x.y']],
    [
      'a name in parentheses',
      'ada@x.y (Ada Lovelace), bo@x.y (Diaz, Bo)',
      ['Ada Lovelace = ada@x.y', 'Diaz, Bo = bo@x.y'],
    ],
    [
      'an address in parentheses or brackets',
      'Ada (ada@x.y), Bo [mailto:bo@x.y], [cy@x.y]',
      ['Ada = ada@x.y', 'Bo = bo@x.y', 'cy@x.y'],
    ],
    ['a remark behind the address', 'Ada <ada@x.y> (Sales)', ['Ada = ada@x.y']],
    ['a name behind the address', '<ada@x.y> Ada', ['Ada = ada@x.y']],
    ['links', 'mailto:ada@x.y, <MAILTO:bo@x.y?subject=Hi>; cy@x.y<mailto:cy@x.y>', ['ada@x.y', 'bo@x.y', 'cy@x.y']],
    ['full-width signs', 'ada@x.y，Bo＜bo@x.y＞；cy@x.y、dee＠x.y', ['ada@x.y', 'Bo = bo@x.y', 'cy@x.y', 'dee@x.y']],
    [
      'bullets',
      '• ada@x.y\n- Bo <bo@x.y>\n*  cy@x.y\n3. dee@x.y\n4) eve@x.y\n·fay@x.y',
      ['ada@x.y', 'Bo = bo@x.y', 'cy@x.y', 'dee@x.y', 'eve@x.y', 'fay@x.y'],
    ],
    ['a final full stop', 'ada@x.y, Bo <bo@x.y>, cy@x.y.', ['ada@x.y', 'Bo = bo@x.y', 'cy@x.y']],
    ['a row of a table', 'Ada Lovelace\tada@x.y\n2\tbo@x.y\tSales', ['Ada Lovelace = ada@x.y', '2 Sales = bo@x.y']],
    ['marks that cannot be seen', '\u200Eada@x.y\u200B,\u00A0bo@x.y\u00A0', ['ada@x.y', 'bo@x.y']],
    ['an address that begins with a sign', '-ada@x.y *bo@x.y', ['-ada@x.y', '*bo@x.y']],
    ['a name before an address', 'Jane Doe jane@x.y\nMax max@x.y', ['Jane Doe = jane@x.y', 'Max = max@x.y']],
    [
      'a name before the only address of a line, with separators',
      'Muster, Max, max@x.y\n1. Bo Diaz; bo@x.y\nDoe; Jane <jane@x.y>\nCy: cy@x.y; Dee',
      ['Muster, Max = max@x.y', 'Bo Diaz = bo@x.y', 'Doe; Jane = jane@x.y', 'Cy = cy@x.y', 'Dee'],
    ],
    [
      'names before several addresses of a line',
      'Jane Doe jane@x.y; Max Muster max@x.y, bo@x.y',
      ['Jane Doe = jane@x.y', 'Max Muster = max@x.y', 'bo@x.y'],
    ],
    // Words that are no address stay, so that nobody is skipped without notice.
    ['a number before an address', '27 ada@x.y', ['27', 'ada@x.y']],
    ['a remark behind an address', 'ada@x.y Sales', ['ada@x.y', 'Sales']],
    ['what is no address', 'ada@x.y, ben@; cy, Ada Lovelace, <>', ['ada@x.y', 'ben@', 'cy', 'Ada Lovelace']],
    ['a bracket that is not closed', 'Ada <ada@x.y', ['Ada = ada@x.y']],
    ['a quote that is not closed', 'Ada "Bo <ada@x.y>, cy@x.y', ['Ada Bo = ada@x.y', 'cy@x.y']],
    ['nothing', ' ,;\n', []],
  ])('reads %s', (_, text, people) => expect(read(text)).toEqual(people))

  test('reads what is pasted from several programs, each with the name before the address', () => {
    const text =
      'Jane Doe jane@x.y\nMax Muster, max@x.y\nDr. Ada Lovelace <ada@x.y>\nGrace Hopper\tgrace@x.y\nplain@x.y\n'
    expect(read(text)).toEqual([
      'Jane Doe = jane@x.y',
      'Max Muster = max@x.y',
      'Dr. Ada Lovelace = ada@x.y',
      'Grace Hopper = grace@x.y',
      'plain@x.y',
    ])
  })
})

test('a cell with a blank in an address is no name and address', () => {
  expect(findInCell('zoe 27@x.y')).toMatchObject([{ address: 'zoe' }, { address: '27@x.y' }])
})

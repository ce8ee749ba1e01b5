import { describe, expect, test } from 'vitest'
import { bodyOf, readPeople, readText } from './read-people'

const ada = { line: 2, email: 'ada@example.com', full_name: 'Ada', is_superuser: false }
const bytes = (...values: number[]) => new Blob([new Uint8Array(values)])

describe('readPeople', () => {
  test.each([
    ['commas', 'email,full_name\nada@example.com,Ada'],
    ['semicolons and another order', 'full_name;email\r\nAda;ada@example.com\r\n'],
    ['tabs', 'email\tfull_name\nada@example.com\tAda'],
    ['a BOM, capitals and spaces', '\uFEFF Email , Full_Name \n ada@example.com , Ada '],
    ['headings with spaces', 'EMail;Full Name;Is superuser\nada@example.com;Ada;false'],
    ['quotes', '"email","full_name"\n"ada@example.com","Ada"'],
    ['other columns', 'id,email,is_active,is_superuser,full_name\n1,ada@example.com,true,false,Ada'],
    ['empty columns', 'email,full_name,,\nada@example.com,Ada,,,'],
    ['other columns of one name', 'id,email,id,full_name\n1,ada@example.com,2,Ada'],
    ['a guarded cell', "email,full_name\nada@example.com,Ada\n'+a@example.com,'=1"],
  ])('reads %s', async (_, text) => {
    expect((await readPeople(text)).rows[0]).toEqual(ada)
  })

  test('names the columns that it ignores', async () => {
    const { ignored } = await readPeople('id,Email,full name,Superuser\n1,ada@example.com,Ada,true')
    expect(ignored).toEqual(['id', 'Superuser'])
  })

  test('takes away what exports put before formulas', async () => {
    const names: [guarded: string, name: string][] = [
      ["'=1", '=1'],
      ["''=1", "'=1"],
      ["'＝full", '＝full'],
      ["a;'=b", 'a;=b'],
      ["A\n'- B", 'A\n- B'],
      ["'Ada", "'Ada"],
      ["O'-Hara", "O'-Hara"],
    ]
    const { rows } = await readPeople(
      `email,full_name\n${names.map(([name]) => `'+a@example.com,"${name}"`).join('\n')}`,
    )
    expect(rows.map(({ full_name }) => full_name)).toEqual(names.map(([, name]) => name))
    expect(rows[0]?.email).toBe('+a@example.com')
  })

  test('reads cells with separators, quotes and lines, and counts the lines', async () => {
    const text = '\uFEFFemail,full_name,is_superuser\r\n\r\na@x.y,"Doe, ""J""\r\nJunior",TRUE\r\n\r\nb@x.y,,\r\n'
    expect(await readPeople(text)).toEqual({
      rows: [
        { line: 3, email: 'a@x.y', full_name: 'Doe, "J"\r\nJunior', is_superuser: true },
        { line: 6, email: 'b@x.y', full_name: null, is_superuser: false },
      ],
      columns: { email: 'email', full_name: 'full_name', is_superuser: 'is_superuser' },
      ignored: [],
    })
  })

  test('keeps rows that it cannot read, with the reason', async () => {
    const { rows } = await readPeople('email,is_superuser\na@x.y,perhaps\nb@x.y,true,more\nc@x.y,true\nd@x.y,"true')
    expect(rows.map(({ line, email, error }) => [line, email, error])).toEqual([
      [2, 'a@x.y', { column: 'is_superuser', value: 'perhaps', reason: 'Must be true, false or empty.' }],
      [3, 'b@x.y', { column: null, value: 'more', reason: 'There are more cells than columns.' }],
      [4, 'c@x.y', undefined],
      [5, 'd@x.y', { column: null, value: 'd@x.y true', reason: 'A quote is missing or in the wrong place.' }],
    ])
    expect(bodyOf(rows)).toEqual([{ email: 'c@x.y', full_name: null, is_superuser: true }])
  })

  const lines = (count: number) => `email\n${'a@x.y\n'.repeat(count)}`

  test('reads 2,000 rows', async () => {
    expect((await readPeople(lines(2000))).rows).toHaveLength(2000)
  })

  test.each([
    ['no text', '', /name the columns/],
    ['no column of addresses', 'name\nAda', /name the columns/],
    ['two columns of one name', 'email,email\na@x.y,b@x.y', /same name/],
    ['only a heading', 'email\n\n', /no rows/],
    ['2,001 rows', lines(2001), /At most 2,000 rows/],
    ['too much text', `email\n${'a'.repeat(2 * 1024 ** 2)}`, /larger than 2 MiB/],
  ])('refuses %s', async (_, text, reason) => {
    await expect(readPeople(text)).rejects.toThrow(reason)
  })
})

describe('readText', () => {
  test('reads UTF-8', async () => expect(await readText(bytes(0xc3, 0xa9))).toBe('é'))
  test('refuses Latin 1', () => expect(readText(bytes(0xe9))).rejects.toThrow(/not UTF-8/))
  test('refuses more than 2 MiB', () =>
    expect(readText(new Blob(['a'.repeat(2 * 1024 ** 2 + 1)]))).rejects.toThrow(/larger than 2 MiB/))
})

import { describe, expect, test } from 'vitest'
import { readInput, readPeople } from './read-people'

const ada = { line: 2, person: { email: 'ada@example.com', full_name: 'Ada', is_superuser: false } }
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
      ["A\n'- B", 'A - B'],
      ["'Ada", "'Ada"],
      ["O'-Hara", "O'-Hara"],
    ]
    const { rows } = await readPeople(
      `email,full_name\n${names.map(([name]) => `'+a@example.com,"${name}"`).join('\n')}`,
    )
    expect(rows.map(({ person }) => person.full_name)).toEqual(names.map(([, name]) => name))
    expect(rows[0]?.person.email).toBe('+a@example.com')
  })

  test('reads cells with separators, quotes and lines, and counts the lines', async () => {
    const text = '\uFEFFemail,full_name,is_superuser\r\n\r\na@x.y,"Doe, ""J""\r\nJunior",TRUE\r\n\r\nb@x.y,,\r\n'
    expect(await readPeople(text)).toEqual({
      rows: [
        { line: 3, person: { email: 'a@x.y', full_name: 'Doe, "J" Junior', is_superuser: true } },
        { line: 6, person: { email: 'b@x.y', full_name: null, is_superuser: false } },
      ],
      columns: { email: 'email', full_name: 'full_name', is_superuser: 'is_superuser' },
      ignored: [],
    })
  })

  test('keeps rows that it cannot read, with the reason', async () => {
    const { rows } = await readPeople('email,is_superuser\na@x.y,perhaps\nb@x.y,true,more\nc@x.y,true\nd@x.y,"true')
    expect(rows.map(({ line, person, problem }) => [line, person.email, problem])).toEqual([
      [2, 'a@x.y', 'Must be true, false or empty. is_superuser: “perhaps”'],
      [3, 'b@x.y', 'There are more cells than columns. “more”'],
      [4, 'c@x.y', undefined],
      [5, 'd@x.y', 'A quote is missing or in the wrong place. is_superuser: “"true”'],
    ])
  })

  const read = async (text: string) => {
    const { rows } = await readPeople(text)
    return rows.map(({ line, person, problem }) => (problem ? [line, problem] : [line, person.email, person.full_name]))
  }

  describe('any mixture of line ends', () => {
    test.each<[title: string, text: string, lines: [number, number]]>([
      ['CRLF below the heading only', 'email,full_name\nada@x.y,Ada\r\nbo@x.y,Bo\r\n', [2, 3]],
      ['CRLF at the heading only', 'email,full_name\r\nada@x.y,Ada\nbo@x.y,Bo\n', [2, 3]],
      ['short rows', 'email,full_name,team,phone\r\nada@x.y,Ada\nbo@x.y,Bo', [2, 3]],
      ['CR', 'email,full_name\rada@x.y,Ada\rbo@x.y,Bo\r', [2, 3]],
      ['CR and quotes', '"email","full_name"\r"ada@x.y","Ada"\rbo@x.y,"Bo"', [2, 3]],
      ['CR between CRLF', 'email,full_name\r\nada@x.y,Ada\rbo@x.y,Bo\r\n', [2, 3]],
      ['CR before CRLF', 'email,full_name\r\r\nada@x.y,Ada\r\r\nbo@x.y,Bo\r\r\n', [3, 5]],
      ['quotes in CRLF and LF', 'email,full_name\r\n"ada@x.y","Ada"\n"bo@x.y","Bo"', [2, 3]],
      ['only line separators of Unicode', 'email,full_name\u2028ada@x.y,Ada\u2028bo@x.y,Bo', [2, 3]],
    ])('%s', async (_, text, [first, second]) => {
      expect(await read(text)).toEqual([
        [first, 'ada@x.y', 'Ada'],
        [second, 'bo@x.y', 'Bo'],
      ])
    })

    test('of one column', async () => {
      expect(await read('email\r\nada@x.y\nbo@x.y\n"cy@x.y"\r')).toEqual([
        [2, 'ada@x.y', null],
        [3, 'bo@x.y', null],
        [4, 'cy@x.y', null],
      ])
    })

    test('in quotes they belong to the name', async () => {
      const text = 'email,full_name\r\nada@x.y,"A\rd\na\r\n\u2028"\nbo@x.y,B\u2028o\rcy@x.y,"Cy"\r\n'
      expect(await read(text)).toEqual([
        [2, 'ada@x.y', 'A d a'],
        [6, 'bo@x.y', 'B o'],
        [7, 'cy@x.y', 'Cy'],
      ])
    })
  })

  describe('the separator', () => {
    test.each([
      ['a semicolon in a quoted heading', 'email,full_name,"Teams (a;b)"\nada@x.y,Ada,"a;b"'],
      ['a semicolon in a bare heading', 'email,full_name,Teams (a;b)\nada@x.y,Ada,x'],
      ['a comma in a quoted heading', 'email;full_name;"Teams, or none"\nada@x.y;Ada;"a,b"'],
      ['a heading of two lines', '"Notes;\nif any",email,full_name\nnone,ada@x.y,Ada'],
      ['bars', 'email|full_name\nada@x.y|Ada'],
      ['a line for Excel', 'sep=;\r\nemail;full_name\r\nada@x.y;Ada\r\n'],
      ['a line for Excel in quotes', '"sep=^"\nemail^full_name\nada@x.y^Ada\n'],
      ['blanks before quotes', 'email, full_name\nada@x.y, "Ada"'],
    ])('%s', async (_, text) => {
      expect(await read(text)).toEqual([[expect.any(Number), 'ada@x.y', 'Ada']])
    })
  })

  describe('headings of other programs', () => {
    test.each<[title: string, heading: string, row: string, email: string, full_name: string]>([
      [
        'Google',
        'First Name [Required],Last Name [Required],Email Address [Required],Password [Required]',
        'Ada,Byron,ada@x.y,*',
        'Email Address [Required]',
        'First Name [Required] + Last Name [Required]',
      ],
      [
        'Entra',
        'userPrincipalName,displayName,surname,givenName,id',
        'ada@x.y,Ada Byron,Byron,Ada,1',
        'userPrincipalName',
        'displayName',
      ],
      [
        'Entra, with mail',
        'userPrincipalName,displayName,mail',
        'ada_gmail#EXT#@x.y,Ada Byron,ada@x.y',
        'mail',
        'displayName',
      ],
      [
        'Entra, a template',
        'version:v1.0,,\r\nName [displayName] Required,User name [userPrincipalName] Required,Block sign in (Yes/No) [accountEnabled] Required',
        'Ada Byron,ada@x.y,No',
        'User name [userPrincipalName] Required',
        'Name [displayName] Required',
      ],
      ['Okta', 'login,firstName,lastName,middleName,email', 'ada,Ada,Byron,,ada@x.y', 'email', 'firstName + lastName'],
      [
        'Okta, its list',
        'User Id,First name,Last name,Primary email',
        '1,Ada,Byron,ada@x.y',
        'Primary email',
        'First name + Last name',
      ],
      ['German', 'Vorname;Name;E-Mail-Adresse', 'Ada;Byron;ada@x.y', 'E-Mail-Adresse', 'Vorname + Name'],
      ['people', 'Name;E-Mail', 'Ada Byron;ada@x.y', 'E-Mail', 'Name'],
      ['people, with a title above', 'Staff 2026,\n,\nName,Email', 'Ada Byron,ada@x.y', 'Email', 'Name'],
    ])('%s', async (_, heading, row, email, full_name) => {
      const { rows, columns } = await readPeople(`${heading}\r\n${row}\r\n`)
      expect(rows).toMatchObject([{ person: { email: 'ada@x.y', full_name: 'Ada Byron', is_superuser: false } }])
      expect(rows[0]?.problem).toBeUndefined()
      expect(columns).toEqual({ email, full_name, is_superuser: undefined })
    })
  })

  test.each([
    [true, 'true TRUE 1 yes Y WAHR ja VRAI oui VERDADERO sí VERO WAAR'],
    [false, 'false False 0 no N FALSCH nein FAUX non FALSO ONWAAR nee'],
  ])('%s in several languages', async (role, words) => {
    const rows = words.split(' ').map((word, index) => `a${index}@x.y,${word}`)
    const people = await readPeople(`email,is_superuser\n${rows.join('\n')}`)
    expect(people.rows.map(({ person, problem }) => [person.is_superuser, problem])).toEqual(
      rows.map(() => [role, undefined]),
    )
  })

  test.each(['Role', 'role', 'ROLE [READ ONLY]'])('a column %s says who becomes a superuser', async (heading) => {
    const text = `email,${heading}\na@x.y,superuser\nb@x.y,Superuser\nc@x.y,User\nd@x.y,\ne@x.y,admin\nf@x.y,1`
    const { rows, columns, ignored } = await readPeople(text)
    const reason = 'Must be superuser, user or empty.'
    expect(rows.map(({ person, problem }) => problem ?? person.is_superuser)).toEqual([
      true,
      true,
      false,
      false,
      `${reason} ${heading}: “admin”`,
      `${reason} ${heading}: “1”`,
    ])
    expect([columns.is_superuser, ignored]).toEqual([heading, []])
  })

  test('a column is_superuser counts more than a column Role', async () => {
    const { rows, ignored } = await readPeople('email,Role,is_superuser\na@x.y,superuser,false\nb@x.y,Engineer,true')
    expect(rows.map(({ person, problem }) => problem ?? person.is_superuser)).toEqual([false, true])
    expect(ignored).toEqual(['Role'])
  })

  test('an export comes back through a German Excel', async () => {
    const text =
      '\uFEFFid;email;full_name;is_active;is_superuser;created_at\r\n' +
      '1;ada@x.y;"Byron; Ada ""A""";' +
      "WAHR;FALSCH;21.11.2026 10:00\r\n2;'+bo@x.y;;FALSCH;WAHR;21.11.2026 10:00\r\n"
    expect((await readPeople(text)).rows).toMatchObject([
      { person: { email: 'ada@x.y', full_name: 'Byron; Ada "A"', is_superuser: false } },
      { person: { email: '+bo@x.y', full_name: null, is_superuser: true } },
    ])
  })

  test.each<[title: string, cell: string, full_name: string | null]>([
    ['a link', 'mailto:ada@x.y', null],
    ['a name with the address', 'Ada Byron <ada@x.y>', 'Ada Byron'],
    ['blanks that are not ASCII', '\u00A0ada@x.y\u00A0', null],
    ['marks that cannot be seen', '\uFEFF\u200Eada@x.y\u200B', null],
    ['full-width signs', 'ada＠x.y', null],
  ])('an address is read from %s', async (_, cell, full_name) => {
    expect(await read(`email\n${cell}`)).toEqual([[2, 'ada@x.y', full_name]])
  })

  describe('a row with an error names line, column, value and reason', () => {
    const quotes = 'A quote is missing or in the wrong place.'
    const swallowing = `${quotes} Lines 2 to 4 are one row because of it.`
    test.each<[title: string, text: string, line: number, problem: string]>([
      ['no address', 'email,full_name\n\nTotal: 1,', 3, 'Invalid email address'],
      ['an empty address', 'email,full_name\n,Ada', 2, 'Email is required'],
      ['a blank in the address', 'email\nada 27@x.y', 2, 'Invalid email address'],
      ['two addresses', 'E-Mail,full_name\n"a@x.y; b@x.y",Ada', 2, 'There are 2 addresses in one cell.'],
      ['an invalid address with a name', 'E-Mail\nAda <ada@>', 2, 'Invalid email address E-Mail: “Ada <ada@>”'],
      [
        'a name that cannot be seen',
        'email,Name\nada@x.y,\u200B',
        2,
        'At least one character must be visible Name: “\u200B”',
      ],
      ['another role', 'email,Is superuser?\nada@x.y,admin', 2, 'Must be true, false or empty. Is superuser?: “admin”'],
      [
        'escaped quotes of another kind',
        'full_name,email\n"Ada \\"A\\" B",ada@x.y',
        2,
        `${quotes} full_name: “"Ada \\"A\\" B",ada@x.y”`,
      ],
      [
        'a quote that is not closed',
        'email,full_name\nada@x.y,"Ada\nbo@x.y,Bo\ncy@x.y,Cy\n',
        2,
        `${swallowing} full_name: “"Ada…”`,
      ],
      [
        'a quote that is closed by the next',
        'email,full_name\nada@x.y,"Ada\nbo@x.y,Bo\ncy@x.y,Cy"\n',
        2,
        `${swallowing} full_name: “Ada…”`,
      ],
      [
        'a person above the heading',
        'bo@x.y,Bo\nemail,full_name\nada@x.y,Ada',
        1,
        'The row is above the heading. “bo@x.y, Bo”',
      ],
    ])('%s', async (_, text, line, problem) => {
      expect(await read(text)).toContainEqual([line, problem])
    })
  })

  test('quotes inside of a cell belong to it', async () => {
    expect(await read('email,full_name\nada@x.y,Ada 6"\nbo@x.y,"Bo"')).toEqual([
      [2, 'ada@x.y', 'Ada 6"'],
      [3, 'bo@x.y', 'Bo'],
    ])
  })

  test('empty rows and cells at the end are no rows', async () => {
    expect(await read('email;full_name;;\r\nada@x.y;Ada;;\r\n;;;\r\n;;;\r\n\r\n   \r\n')).toEqual([
      [2, 'ada@x.y', 'Ada'],
    ])
  })

  const lines = (count: number) => `email\n${'a@x.y\n'.repeat(count)}`

  test('reads 2,000 rows', async () => {
    expect((await readPeople(lines(2000))).rows).toHaveLength(2000)
  })

  test.each([
    ['no text', '', /name the columns/],
    ['no column of addresses', 'name\nAda', /name the columns/],
    ['no heading', '\nada@x.y,Ada', /one of them “email”\. Line 2 is “ada@x\.y, Ada”/],
    ['a web page', '<!doctype html>\n<p>Log in', /web page, not CSV\. Line 1 is “<!doctype html>…”/],
    ['a wrong quote in the heading', 'email,"name\nada@x.y,Ada', /Line 1: A quote is missing .* Lines 1 to 2/],
    [
      'two columns of one name',
      '\nemail,E-Mail\na@x.y,b@x.y',
      /Line 2 has two columns with the same meaning: “email” and “E-Mail”/,
    ],
    ['only a heading', 'email\n\n', /no rows/],
    ['2,001 rows', lines(2001), /At most 2,000 rows/],
    ['too much text', `email\n${'a'.repeat(2 * 1024 ** 2)}`, /larger than 2 MiB/],
  ])('refuses %s', async (_, text, reason) => {
    await expect(readPeople(text)).rejects.toThrow(reason)
  })
})

test.each<[title: string, text: string, isList: boolean, found: unknown]>([
  ['CSV', 'email,full_name\nada@x.y,Ada', true, [[2, 'ada@x.y', 'Ada']]],
  [
    'addresses alone',
    'ada@x.y\nBo <bo@x.y>;',
    false,
    [
      [1, 'ada@x.y', null],
      [2, 'bo@x.y', 'Bo'],
    ],
  ],
  [
    'names before addresses',
    'Jane Doe jane@x.y\nMax Muster, max@x.y',
    false,
    [
      [1, 'jane@x.y', 'Jane Doe'],
      [2, 'max@x.y', 'Max Muster'],
    ],
  ],
  [
    'words between addresses',
    'ada@x.y, Bo, cy@x.y',
    true,
    [
      [1, 'ada@x.y', null],
      [1, 'Bo', null],
      [1, 'cy@x.y', null],
    ],
  ],
])('readInput reads %s', async (_, text, isList, found) => {
  const { rows } = await readInput(text, isList)
  expect(rows.map(({ line, person }) => [line, person.email, person.full_name])).toEqual(found)
})

test.each([
  ['a table without a heading', 'ada@x.y,Ada\nbo@x.y,Bo', false],
  ['a table without a heading, with more than names', 'Ada,ada@x.y,Sales\nBo,bo@x.y,Sales', false],
  ['a text without an address', 'Ada', true],
])('readInput refuses %s', async (_, text, isList) => {
  await expect(readInput(text, isList)).rejects.toThrow('must name the columns')
})

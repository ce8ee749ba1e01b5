// Headings in exports of other programs and in other languages. Only few mean the role, because it grants rights.

const emails =
  'email|emailaddress|primaryemail|primaryemailaddress|workemail|mail|mailaddress|emailadresse|mailadresse|emailadres|' +
  'adresseemail|courriel|correoelectrónico|correo|enderecodeemail|indirizzoemail|userprincipalname|upn|login|username'
const fullNames =
  'fullname|displayname|vollständigername|anzeigename|volledigenaam|weergavenaam|nomcomplet|nombrecompleto|nomecompleto'
const firstNames = 'firstname|givenname|forename|vorname|voornaam|prénom|prenom|nombre|nome'
const lastNames = 'lastname|surname|familyname|nachname|familienname|achternaam|nomdefamille|apellidos|apellido|cognome'
const otherNames = 'name|naam|nom'

const yes = 'true|yes|y|1|wahr|ja|j|waar|vrai|oui|verdadero|sí|si|vero|sì|verdadeiro|sim|sand|sann|sant|tosi|prawda|tak'
const no = 'false|no|n|0|falsch|nein|onwaar|nee|faux|non|falso|não|nao|falsk|usann|falskt|nej|nei|epätosi|fałsz|nie'

const roleCells = (yesWords: string, noWords: string, error: string) => ({
  /** The keys are in lower case. */
  meanings: new Map([
    ['', false],
    ...yesWords.split('|').map((word) => [word, true] as const),
    ...noWords.split('|').map((word) => [word, false] as const),
  ]),
  error,
})

const ofBooleans = roleCells(yes, no, 'Must be true, false or empty.')
/** `admin` is missing, because elsewhere it may mean fewer rights. */
const ofRoles = roleCells('superuser', 'user', 'Must be superuser, user or empty.')

export type Headings = NonNullable<ReturnType<typeof findHeadings>>

/** The indexes of the columns by their headings. @returns undefined if no heading means the email address */
export function findHeadings(cells: readonly string[]) {
  let conflict: [string, string] | undefined
  const keys = cells.map(keysOf)
  const find = (words: string): number | undefined => {
    for (const word of words.split('|')) {
      const [first, second] = keys.flatMap((own, index) => (own.includes(word) ? [index] : []))
      if (first === undefined) continue
      if (second !== undefined) conflict ??= [cells[first] ?? '', cells[second] ?? '']
      return first
    }
    return undefined
  }
  const email = find(emails)
  if (email === undefined) return undefined
  const boolean = find('issuperuser')
  const full_name = findName(find)
  const is_superuser = boolean ?? find('role')
  const names = {
    email: cells[email],
    full_name: full_name.map((index) => cells[index]).join(' + ') || undefined,
    is_superuser: is_superuser === undefined ? undefined : cells[is_superuser],
  }
  return { email, full_name, is_superuser, names, roleCells: boolean === undefined ? ofRoles : ofBooleans, conflict }
}

/** Several columns make up a full name. */
function findName(find: (words: string) => number | undefined): number[] {
  const full = find(fullNames)
  if (full !== undefined) return [full]
  const first = find(firstNames)
  // Beside a first name, `Name` means the last name.
  const last = find(lastNames) ?? find(otherNames)
  return [first, last].filter((index) => index !== undefined)
}

/** The names in a heading: `User name [userPrincipalName] Required` has `username` and `userprincipalname`. */
function keysOf(heading: string): string[] {
  if (heading.length > 200) return []
  const inner = Array.from(heading.matchAll(/\[([^[\]]*)\]/g), ([, text = '']) => text)
  const outer = heading.replaceAll(/\[[^[\]]*\]|\([^()]*\)|\b(?:required|optional)\b/gi, '')
  return [outer, ...inner].map((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  )
}

import { settingNames } from './config.ts'

/** Beginnings of names that no other program is likely to use. */
const OUR_PREFIXES =
  /^((AUDIT|BACKUP|CORS|DATABASE|FILES|MAIL|METRICS|OIDC|SIGNUP|SMTP)_|FIRST_SUPERUSER|SECOND_FACTOR|SIGN_UP)/

/** In names of at most this length, two edits make another word: HOME is no misspelt HOST. */
const SHORT_LENGTH = 5

/** @returns a sentence for each misspelt setting, without its value */
export function findMisspeltSettings(env: Record<string, string | undefined>): string[] {
  const given = Object.keys(env).filter((name) => (env[name] ?? '') !== '')
  const others = given.filter((name) => /^[A-Z][A-Z\d_]*$/.test(name) && !settingNames.includes(name))
  return others.flatMap((name) => {
    const close = settingNames.find((setting) => distance(name, setting) <= (setting.length <= SHORT_LENGTH ? 1 : 2))
    if (close !== undefined) return given.includes(close) ? [] : [`${name} is no setting. Did you mean ${close}?`]
    const [beginning] = OUR_PREFIXES.exec(name) ?? []
    // For a service `mail`, Kubernetes sets `MAIL_PORT`, `MAIL_SERVICE_HOST` and other variables.
    return beginning === undefined || `${beginning}SERVICE_HOST` in env ? [] : [`${name} is no setting of this version`]
  })
}

/** The number of letters that were added, left out, replaced or swapped with their neighbour. */
function distance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity

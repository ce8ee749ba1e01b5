import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { countCodePoints } from '../platform/lib/code-points.ts'

export interface PasswordOwner {
  email: string
  full_name?: string | null | undefined
}

/** A good password may contain shorter parts of a name or address by chance. */
const MIN_PART = 4

/** The minimum length of a password without the parts of name and address. */
const MIN_REST = 8

/**
 * Checks a password beyond its length. The policy `spec` has no further rules. `strict` rejects common passwords (ASVS
 * 6.2.4) and passwords made of the owner's name and address (ASVS 6.2.11).
 * @param field the key of the input that holds the password
 * @throws DomainError `weak-password`
 */
export function requireGoodPassword(
  { config }: Context,
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'new_password',
): void {
  if (config.passwordPolicy === 'spec') return
  common ??= readCommonPasswords()
  const folded = fold(password)
  if (common.has(folded)) throw new DomainError('weak-password', 'Password is too common', { field })
  const parts = personalParts(owner).filter((part) => folded.includes(part))
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), folded)
  if (parts.length > 0 && countCodePoints(rest) < MIN_REST) {
    throw new DomainError('weak-password', 'Password should not be made of your name or email address', { field })
  }
}

let common: Set<string> | undefined

function personalParts({ email, full_name: name }: PasswordOwner): string[] {
  const [local = ''] = email.split('@')
  const parts = [local, ...local.split(/[._+-]/), name ?? '', ...(name ?? '').split(/\s+/)]
  const folded = parts.map(fold).filter((part) => countCodePoints(part) >= MIN_PART)
  return folded.toSorted((a, b) => b.length - a.length)
}

/** Ignores case, spaces and full-width letters: they do not make a common password rare. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
}

function readCommonPasswords(): Set<string> {
  const lines = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8').split('\n')
  return new Set(lines.map(fold).filter((line) => line !== ''))
}

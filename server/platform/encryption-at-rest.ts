import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { DomainError } from './errors.ts'
import { createFileOnce } from './lib/durable-files.ts'
import { decrypt, encrypt } from './lib/encryption.ts'

export type EncryptionAtRest = ReturnType<typeof createEncryptionAtRest>

export interface SecretsAtRest {
  /** The key is derived for this purpose, so that other secrets have other keys. */
  purpose: string
  noKey: string
  notEncrypted: string
  lostKey: string
  notDecrypted: string
}

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

const MIN_LENGTH = 32

/** Clients try again after this time. The operator may have put the file of the key back by then. */
const RETRY_S = 60

class DamagedKey extends Error {}

/** The file with the key if `SECRET_KEY` is not set and the database is SQLite. Backups do not contain it. */
export function keyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret.key')
}

/** @param warn gets one sentence about what is wrong with the key, at the start or when the key is used */
export function createEncryptionAtRest(settings: Settings, secrets: SecretsAtRest, warn: (message: string) => void) {
  let key: Buffer | undefined
  const told = new Set<string>()

  function warnOnce(message: string): void {
    if (!told.has(message)) warn(message)
    told.add(message)
  }

  function findKey(make: boolean): Buffer | undefined {
    if (key) return key
    const text =
      settings.secretKey ?? (settings.databaseUrl === undefined ? readKeyFile(keyFile(settings), make) : undefined)
    if (text !== undefined) key = Buffer.from(hkdfSync('sha256', text, '', secrets.purpose, 32))
    return key
  }

  /** @throws DomainError `conflict` on PostgreSQL without `SECRET_KEY`, `busy` if the key is damaged */
  function requireKey(): Buffer {
    try {
      const found = findKey(true)
      if (found) return found
    } catch (error) {
      if (!(error instanceof DamagedKey)) throw error
      warnOnce(error.message)
      throw new DomainError('busy', secrets.notEncrypted, { retryAfter: RETRY_S })
    }
    const message = 'SECRET_KEY is not set'
    warnOnce(`${message}: ${secrets.noKey}`)
    throw new DomainError('conflict', message)
  }

  try {
    findKey(false)
  } catch (error) {
    warnOnce((error as Error).message)
  }

  return {
    /** @param owner must be the same for `decrypt` @throws the same errors as `requireKey` */
    encrypt(owner: string, secret: Buffer): string {
      return encrypt(requireKey(), secret, owner)
    },

    /** @throws DomainError `busy` if the secret was encrypted for another owner, or with a key that may be put back */
    decrypt(owner: string, encrypted: string): Buffer {
      try {
        const found = findKey(false)
        if (!found) throw new Error('There is no key')
        return decrypt(found, encrypted, owner)
      } catch {
        warnOnce(secrets.lostKey)
        throw new DomainError('busy', secrets.notDecrypted, { retryAfter: RETRY_S })
      }
    },
  }
}

function readKeyFile(file: string, make: boolean): string | undefined {
  if (make) createFileOnce(file, randomBytes(32).toString('base64url'))
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text.length < MIN_LENGTH) throw new DamagedKey(`${file} is damaged`)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

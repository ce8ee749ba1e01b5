import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { DomainError } from './errors.ts'
import { createFileOnce } from './lib/durable-files.ts'
import { decrypt, encrypt } from './lib/encryption.ts'

export type EncryptionAtRest = ReturnType<typeof createEncryptionAtRest>

export interface SecretsAtRest {
  /** Keys of different purposes differ. */
  purpose: string
  noKey: string
  notEncrypted: string
  lostKey: string
  notDecrypted: string
}

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

const MIN_LENGTH = 32

/** The operator may have put the key back by then. */
const RETRY_S = 60

class DamagedKey extends Error {}

/** The key without `SECRET_KEY`, on SQLite. Backups do not contain it. */
export function keyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret.key')
}

/** @param warn gets one sentence about what is wrong with the key, at start if it is known by then */
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

  /** @throws DomainError `conflict` if there is no place for a key; `busy` if it is damaged; an error of the file system */
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
    /** @param owner only with it the secret can be decrypted @throws as `requireKey` */
    encrypt(owner: string, secret: Buffer): string {
      return encrypt(requireKey(), secret, owner)
    },

    /** @throws DomainError `busy` if it was encrypted with another key, which may come back, or for another owner */
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

import type { Store } from '../store/store.ts'
import { type Credentials, findCredentials, lockUser, updateUser } from '../store/users.ts'
import type { Device } from './access.ts'
import { hashGroup } from '../lib/network-address.ts'
import type { Audit } from './audit.ts'
import { emailKey } from '../lib/email-address.ts'
import { DomainError } from './errors.ts'
import { makeFamiliar } from './familiar-blocks.ts'
import type { Guess, Guesses } from './guesses.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'

export function createLogIn(options: {
  store: Store
  passwords: Passwords
  guesses: Guesses
  sessions: Sessions
  audit: Audit
  now: () => number
}) {
  const { store, passwords, guesses, sessions, audit, now } = options

  async function refuse(guess: Guess, subjectId: string | undefined, ip: string): Promise<'incorrect'> {
    await store.transaction(async (tx) => {
      await audit.record(tx, { action: 'log-in', result: 'wrong-password', subjectId, ip })
      await guess.settle(tx, 'wrong')
    })
    return 'incorrect'
  }

  async function admit(
    guess: Guess,
    { user, passwordHash }: Credentials,
    password: string,
    device: Device,
  ): Promise<{ token: string } | 'incorrect' | 'inactive'> {
    const { ip } = device
    const renewed = passwords.isOutdated(passwordHash) ? await passwords.hash(password, hashGroup(ip)) : undefined
    return store.transaction(async (tx) => {
      // The password or the account may have changed while the hash was computed.
      const current = await lockUser(tx, user.id, { passwordHash })
      if (current && renewed !== undefined) await updateUser(tx, user.id, { password_hash: renewed })
      const outcome = !current
        ? 'incorrect'
        : current.is_active
          ? { token: await sessions.begin(tx, user.id, device) }
          : 'inactive'
      const result = outcome === 'incorrect' ? 'wrong-password' : outcome === 'inactive' ? 'inactive' : 'done'
      await audit.record(tx, { action: 'log-in', result, actorId: current?.id, subjectId: user.id, ip })
      await guess.settle(tx, 'right')
      if (current?.is_active) await makeFamiliar(tx, current.id, ip, now())
      return outcome
    })
  }

  /**
   * Starts a session. An unknown address is handled like a wrong password, so that the responses do not differ in text
   * or time.
   * @returns an access token
   * @throws DomainError `invalid` for a wrong password, an unknown address or an inactive account; `too-many`; `busy`
   */
  return async function logIn(device: Device, address: string, password: string): Promise<string> {
    const { ip } = device
    const key = emailKey(address)
    const guess = await guesses.atLogIn(key, ip)
    const outcome = await (async () => {
      const found = await findCredentials(store.db, { emailKey: key })
      const matches = await passwords.matches(password, found?.passwordHash, hashGroup(ip), () => guess.reserve())
      return found && matches ? admit(guess, found, password, device) : refuse(guess, found?.user.id, ip)
    })().catch(async (error: unknown) => {
      await guess.giveBack()
      throw error
    })
    if (outcome === 'incorrect') throw new DomainError('invalid', 'Incorrect email or password')
    if (outcome === 'inactive') throw new DomainError('invalid', 'Inactive user')
    return outcome.token
  }
}

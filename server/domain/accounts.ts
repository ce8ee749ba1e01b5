import { v7 as uuid } from 'uuid'
import type { Store } from '../store/store.ts'
import { findCredentials, hasUsers, insertUser } from '../store/users.ts'
import { emailKey } from './email-address.ts'
import { Refusal } from './errors.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { newToken } from './tokens.ts'

export function createAccounts(options: { store: Store; passwords: Passwords; sessions: Sessions; now: () => number }) {
  const { store, passwords, sessions, now } = options
  return {
    /**
     * @returns an access token
     * @throws Refusal `invalid`: a wrong password and an unknown address alike, after the same work; or an inactive account
     */
    async logIn(address: string, password: string): Promise<string> {
      const found = await findCredentials(store.db, emailKey(address))
      const matches = await passwords.matches(password, found?.passwordHash)
      if (!found || !matches) throw new Refusal('invalid', 'Incorrect email or password')
      if (!found.user.is_active) throw new Refusal('invalid', 'Inactive user')
      return sessions.begin(store.db, found.user.id)
    },

    /**
     * Makes the first superuser of an empty database.
     * @param password generated when it is not given
     * @returns what to tell the operator, once; `undefined` when there are accounts already
     */
    async ensureFirstSuperuser(
      email: string,
      password: string | undefined,
    ): Promise<{ email: string; generatedPassword: string | undefined } | undefined> {
      if (await hasUsers(store.db)) return undefined
      const generatedPassword = password === undefined ? newToken().slice(0, 20) : undefined
      const passwordHash = await passwords.hash(password ?? generatedPassword ?? '')
      const made = await insertUser(store.db, {
        id: uuid(),
        email: email.trim(),
        email_key: emailKey(email),
        full_name: null,
        password_hash: passwordHash,
        is_active: true,
        is_superuser: true,
        created_at: now(),
      })
      return made ? { email: email.trim(), generatedPassword } : undefined
    },
  }
}

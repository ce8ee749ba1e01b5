import type { Config } from '../config.ts'
import type { Store } from '../store/store.ts'
import { createAccounts } from './accounts.ts'
import { createItems } from './items.ts'
import { createPasswords } from './passwords.ts'
import { createSessions } from './sessions.ts'

export type Domain = ReturnType<typeof createDomain>

/** The rules of the product over one store. @param options.now milliseconds since 1970; tests move it */
export function createDomain(options: { store: Store; config: Config; now: () => number }) {
  const { store, config, now } = options
  const passwords = createPasswords()
  const sessions = createSessions({ store, bounds: config.session, now })
  return { sessions, accounts: createAccounts({ store, passwords, sessions, now }), items: createItems({ store, now }) }
}

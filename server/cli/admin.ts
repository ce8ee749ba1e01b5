import { parseArgs } from 'node:util'
import { listAudit } from '../audit/queries.ts'
import { invitationUrl } from '../accounts/mails.ts'
import {
  createSuperuser,
  findByAddress,
  inviteAsOperator,
  makeLogInLink,
  newPassword,
  setPassword,
} from '../operator/rules.ts'
import {
  endAccountSessions,
  endAccountTokens,
  listAccountSessions,
  listAccountTokens,
  resetSecondFactor,
} from '../administration/rules.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { countCodePoints } from '../platform/lib/code-points.ts'
import { isEmailAddress } from '../platform/lib/email-address.ts'
import { passwordLengthError } from '../platform/lib/password-length.ts'
import { OPERATOR } from '../users/access.ts'
import { WrongUsage } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'

const AUDIT_LINES = 100
const MAX_NAME = 255

const usage = `Usage: npm run admin -- COMMAND
  create-superuser EMAIL   creates an account that administers users
  invite EMAIL [--superuser] [--name NAME]
                           creates an account and mails its owner a link to choose a password; repeat it for a new link
  set-password EMAIL       sets a password, and ends all sessions of the account and its waits after wrong passwords
  log-in-link EMAIL        prints a link that logs in to the account, once, within 10 minutes
  list-sessions EMAIL      lists the sessions of the account
  end-sessions EMAIL       ends all sessions of the account
  tokens EMAIL [--end]     lists the API tokens of the account, or ends all
  reset-second-factor EMAIL
                           removes the authenticator app, recovery codes and passkeys, and ends all sessions
  audit [LINES]            prints the newest entries of the audit log, newest first (default ${AUDIT_LINES})
  test-mail EMAIL          sends a mail by the mail server of SMTP_URL
  copy-to-postgres         copies the SQLite database in DATA_DIR to the empty PostgreSQL database of DATABASE_URL
Passwords are read from the terminal or the standard input. An empty line generates one.`

interface Tools {
  context: Context
  terminal: Terminal
}

/** @throws WrongUsage, DomainError */
export async function runAdminCommand(args: string[], context: Context, terminal: Terminal): Promise<void> {
  const [command = '', argument, ...more] = args
  if (command === 'audit') return showAudit(context, terminal, argument)
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!run || argument === undefined) throw new WrongUsage(usage)
  return run(argument, { context, terminal }, more)
}

const commands: Partial<Record<string, (email: string, tools: Tools, options: string[]) => Promise<void>>> = {
  async 'create-superuser'(email, { context, terminal }) {
    requireAddress(email)
    await withPassword(terminal, (password) => createSuperuser(context, email, password))
    terminal.say(`Created the superuser ${email}`)
  },

  async invite(email, { context, terminal }, options) {
    requireAddress(email)
    const { superuser, name } = optionsOf(options)
    if (name !== undefined && countCodePoints(name) > MAX_NAME)
      throw new DomainError('invalid', 'That name is too long')
    const { token } = await inviteAsOperator(context, { email, full_name: name ?? null, is_superuser: superuser })
    if (token === undefined) terminal.say(`Invited ${email}. The server sends the mail`)
    else if (context.config.publicUrl !== undefined)
      terminal.say(`Invited ${email}. The link works once, for 7 days: ${invitationUrl(context, token)}`)
    else throw new DomainError('invalid', `Invited ${email}. Set PUBLIC_URL and repeat the command for a link`)
  },

  async 'set-password'(email, { context, terminal }) {
    await withPassword(terminal, (password) => setPassword(context, email, password))
    terminal.say(`Set the password of ${email}`)
  },

  async 'log-in-link'(email, { context, terminal }) {
    if (context.config.publicUrl === undefined) throw new DomainError('invalid', 'Set PUBLIC_URL for a link')
    const token = await makeLogInLink(context, email)
    terminal.say(`The link works once, for 10 minutes: ${context.publicUrl()}/login#link=${token}`)
  },

  async 'list-sessions'(email, { context, terminal }) {
    const { data, count } = await listAccountSessions(context, OPERATOR, (await findByAddress(context, email)).id)
    for (const { created_at, last_used_at } of data) {
      terminal.say(`created ${timeOf(created_at)}  last used ${timeOf(last_used_at)}`)
    }
    terminal.say(data.length < count ? `${count} sessions, of which ${data.length} are listed` : `${count} sessions`)
  },

  async 'end-sessions'(email, { context, terminal }) {
    const { id } = await findByAddress(context, email)
    terminal.say(`${await endAccountSessions(context, OPERATOR, id)} sessions ended`)
  },

  async tokens(email, { context, terminal }, options) {
    const { id } = await findByAddress(context, email)
    if (optionsOf(options).end) return terminal.say(`${await endAccountTokens(context, OPERATOR, id)} tokens ended`)
    const tokens = await listAccountTokens(context, OPERATOR, id)
    for (const { name, scope, created_at, expires_at, last_used_at } of tokens) {
      const used = last_used_at === null ? 'never used' : `last used ${timeOf(last_used_at)}`
      terminal.say(
        `created ${timeOf(created_at)}  expires ${timeOf(expires_at)}  ${used}  ${scope}  ${JSON.stringify(name)}`,
      )
    }
    terminal.say(`${tokens.length} tokens`)
  },

  async 'reset-second-factor'(email, { context, terminal }) {
    await resetSecondFactor(context, OPERATOR, (await findByAddress(context, email)).id)
    terminal.say(`Reset the second factor of ${email}`)
  },
}

function requireAddress(email: string): void {
  if (!isEmailAddress(email)) throw new DomainError('invalid', 'That is not an email address')
}

function optionsOf(args: string[]) {
  try {
    const isOff = { type: 'boolean', default: false } as const
    const options = { superuser: isOff, name: { type: 'string' }, end: isOff } as const
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new WrongUsage(usage, { cause: error })
  }
}

async function withPassword(terminal: Terminal, apply: (password: string) => Promise<unknown>): Promise<void> {
  const typed = await terminal.askPassword()
  const error = typed === '' ? undefined : passwordLengthError(typed)
  if (error !== undefined) throw new DomainError('invalid', `The password ${error}`)
  const password = typed === '' ? newPassword() : typed
  await apply(password)
  if (typed === '') terminal.say(`The password is ${password} (shown only this once)`)
}

async function showAudit({ store }: Context, terminal: Terminal, lines = String(AUDIT_LINES)): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(lines)) throw new WrongUsage(usage)
  for (const entry of await listAudit(store.db, {}, { limit: Number(lines) })) {
    const actor = entry.actor_email ?? entry.actor_id ?? '-'
    const subject = entry.subject_email ?? entry.subject_id ?? '-'
    terminal.say(
      `${timeOf(entry.at)}  ${entry.action} ${entry.result}  by ${actor}  about ${subject}  from ${entry.origin}`,
    )
  }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

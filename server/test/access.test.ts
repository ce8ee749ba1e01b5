import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Operation, operations } from '../platform/http/contract.ts'
import { addRow } from './any-resource.ts'
import {
  buildTestApp,
  type Client,
  type Method,
  nobody,
  type Person,
  statusAndBody,
  type TestApp,
} from './build-test-app.ts'
import { forgedCredential } from './ceremonies.ts'
import { newFolder } from './new-folder.ts'
import { samples } from '../../tests/support/samples.ts'
import { snapshot } from './snapshot.ts'

/** The status of each operation for each caller. The owner owns the item. Operations on users concern the owner. */
const table = `
                                          no     malformed ended    deacti- owner  other super- second
                                          token  token     session  vated          user  user   superuser
login-login_access_token                  200    200       200      200     200    200   200    200
login-test_token                          401    401       401      401     200    200   200    200
login-logout                              401    401       401      401     200    200   200    200
login-recover_password                    200    200       200      200     200    200   200    200
login-recover_password_html_content       401    401       401      401     403    403   200    200
login-reset_password                      400    400       400      400     400    400   400    400
users-read_users                          401    401       401      401     403    403   200    200
users-export_users                        401    401       401      401     403    403   200    200
users-export_users (malformed)            401    401       401      401     403    403   422    422
users-bulk_users                          401    401       401      401     403    403   200    200
users-bulk_users (malformed)              401    401       401      401     403    403   422    422
users-import_users                        401    401       401      401     403    403   200    200
users-import_users (malformed)            401    401       401      401     403    403   422    422
users-create_user                         401    401       401      401     403    403   200    200
users-create_user (malformed)             401    401       401      401     403    403   422    422
users-read_user_me                        401    401       401      401     200    200   200    200
users-read_overview                       401    401       401      401     200    200   200    200
users-update_user_me                      401    401       401      401     200    200   200    200
users-delete_user_me                      401    401       401      401     200    200   409    409
users-update_password_me                  401    401       401      401     200    200   200    200
users-send_email_confirmation             401    401       401      401     409    409   409    409
users-forget_pending_email                401    401       401      401     200    200   200    200
users-register_user                       200    200       200      200     200    200   200    200
users-read_user_by_id                     401    401       401      401     200    403   200    200
users-read_user_by_id (the superuser)     401    401       401      401     403    403   200    200
users-read_user_by_id (nobody)            401    401       401      401     403    403   404    404
users-read_user_by_id (malformed)         401    401       401      401     403    403   422    422
users-update_user                         401    401       401      401     403    403   200    200
users-update_user (the superuser)         401    401       401      401     403    403   200    200
users-update_user (nobody)                401    401       401      401     403    403   404    404
users-delete_user                         401    401       401      401     403    403   200    200
users-delete_user (the superuser)         401    401       401      401     403    403   409    200
users-delete_user (nobody)                401    401       401      401     403    403   404    404
users-confirm                             401    401       401      401     200    200   200    200
login-passkey_options                     200    200       200      200     200    200   200    200
login-passkey                             400    400       400      400     400    400   400    400
users-confirm_options                     401    401       401      401     200    200   200    200
users-read_passkeys                       401    401       401      401     200    200   200    200
users-passkey_options                     401    401       401      401     200    200   200    200
users-create_passkey                      401    401       401      401     400    400   400    400
users-update_passkey (nobody)             401    401       401      401     404    404   404    404
users-delete_passkey (nobody)             401    401       401      401     404    404   404    404
login-oidc                                404    404       404      404     404    404   404    404
login-oidc_callback                       404    404       404      404     404    404   404    404
login-oidc_complete                       404    404       404      404     404    404   404    404
login-link                                400    400       400      400     400    400   400    400
login-link_account                        400    400       400      400     400    400   400    400
users-read_own_identities                 401    401       401      401     200    200   200    200
users-identity_options                    401    401       401      401     404    404   404    404
users-delete_own_identity (nobody)        401    401       401      401     404    404   404    404
users-confirm_oidc                        401    401       401      401     404    404   404    404
users-read_identities                     401    401       401      401     403    403   200    200
users-read_identities (nobody)            401    401       401      401     403    403   404    404
users-delete_identity                     401    401       401      401     403    403   404    404
login-second_factor                       410    410       410      410     410    410   410    410
login-enrolment                           410    410       410      410     410    410   410    410
login-enrolment_confirm                   410    410       410      410     410    410   410    410
users-read_own_second_factor              401    401       401      401     200    200   200    200
users-begin_totp                          401    401       401      401     200    200   200    200
users-confirm_totp                        401    401       401      401     409    409   409    409
users-delete_totp                         401    401       401      401     404    404   404    404
users-create_recovery_codes               401    401       401      401     409    409   409    409
users-read_second_factor                  401    401       401      401     403    403   200    200
users-read_second_factor (nobody)         401    401       401      401     403    403   404    404
users-reset_second_factor                 401    401       401      401     403    403   200    200
users-reset_second_factor (the superuser)  401    401       401      401     403    403   409    200
users-reset_second_factor (nobody)        401    401       401      401     403    403   404    404
instance-read_instance                    200    200       200      200     200    200   200    200
events-read_events                        401    401       401      401     200    200   200    200
files-upload_file                         401    401       401      401     200    200   200    200
files-upload_file (malformed)             401    401       401      401     422    422   422    422
files-read_file                           401    401       401      401     200    404   404    404
files-read_file (nobody)                  401    401       401      401     404    404   404    404
files-read_file (malformed)               401    401       401      401     422    422   422    422
login-accept_invitation                   400    400       400      400     400    400   400    400
login-confirm_email                       401    401       401      401     400    400   400    400
users-invite_user                         401    401       401      401     403    403   200    200
users-invite_user (malformed)             401    401       401      401     403    403   422    422
users-resend_invitation                   401    401       401      401     403    403   409    409
users-resend_invitation (invited)         401    401       401      401     403    403   200    200
users-resend_invitation (nobody)          401    401       401      401     403    403   404    404
users-send_password_reset                 401    401       401      401     403    403   200    200
users-send_password_reset (invited)       401    401       401      401     403    403   409    409
users-send_password_reset (nobody)        401    401       401      401     403    403   404    404
users-read_own_sessions                   401    401       401      401     200    200   200    200
users-end_own_session                     401    401       401      401     200    404   404    404
users-end_own_session (nobody)            401    401       401      401     404    404   404    404
users-end_own_session (malformed)         401    401       401      401     422    422   422    422
users-end_other_sessions                  401    401       401      401     200    200   200    200
users-read_sessions                       401    401       401      401     403    403   200    200
users-read_sessions (nobody)              401    401       401      401     403    403   404    404
users-end_sessions                        401    401       401      401     403    403   200    200
users-end_sessions (nobody)               401    401       401      401     403    403   404    404
users-end_sessions (upper case)           401    401       401      401     403    403   200    200
users-read_own_tokens                     401    401       401      401     200    200   200    200
users-create_token                        401    401       401      401     200    200   200    200
users-end_own_token (nobody)              401    401       401      401     404    404   404    404
users-end_own_token (malformed)           401    401       401      401     422    422   422    422
users-read_tokens                         401    401       401      401     403    403   200    200
users-read_tokens (nobody)                401    401       401      401     403    403   404    404
users-end_token                           401    401       401      401     403    403   200    200
users-end_token (nobody)                  401    401       401      401     403    403   404    404
audit-read_audit                          401    401       401      401     403    403   200    200
audit-read_audit (malformed)              401    401       401      401     403    403   422    422
audit-export_audit                        401    401       401      401     403    403   200    200
`

/** The operations that every resource has. NOUN and TABLE stand for its names. */
const resourceTable = `
TABLE-read_TABLE                          401    401       401      401     200    200   200    200
TABLE-export_TABLE                        401    401       401      401     200    200   200    200
TABLE-bulk_TABLE                          401    401       401      401     200    200   200    200
TABLE-bulk_TABLE (malformed)              401    401       401      401     422    422   422    422
TABLE-create_NOUN                         401    401       401      401     200    200   200    200
TABLE-create_NOUN (malformed)             401    401       401      401     422    422   422    422
TABLE-read_NOUN                           401    401       401      401     200    404   200    200
TABLE-read_NOUN (upper case)              401    401       401      401     200    404   200    200
TABLE-update_NOUN                         401    401       401      401     200    404   200    200
TABLE-delete_NOUN                         401    401       401      401     200    404   200    200
`

interface Cast {
  owner: Person
  superuser: Person
  /** The id of a file of the owner, and of a row of each resource. */
  rowIds: Partial<Record<string, string>>
  newEmail: string
  invitedId: string
  sessionId: string
  apiTokenId: string
}

const password = 'a new password'

const queries: Record<string, string> = {
  'users-export_users (malformed)': '?role=root',
  'login-oidc': '?return_to=/settings',
  'login-oidc_callback': '?state=none&code=none',
  'files-upload_file': '?name=a.txt',
  'audit-read_audit (malformed)': '?before=x',
}

const bodies: Record<string, (cast: Cast) => object> = {
  'login-login_access_token': ({ owner }) => new URLSearchParams({ username: owner.email, password: owner.password }),
  'login-reset_password': () => ({ token: 'none', new_password: password }),
  'users-bulk_users': ({ owner }) => ({ action: 'activate', ids: [owner.id] }),
  'users-bulk_users (malformed)': () => ({ action: 'activate', ids: ['x'] }),
  'users-import_users': ({ newEmail }) => ({ rows: [{ email: newEmail }] }),
  'users-import_users (malformed)': () => ({ rows: [] }),
  'users-create_user': ({ newEmail }) => ({ email: newEmail, password }),
  'users-create_user (malformed)': () => ({}),
  'users-update_user_me': () => ({ full_name: 'Somebody' }),
  'users-update_password_me': ({ owner }) => ({ current_password: owner.password, new_password: password }),
  'users-confirm': ({ owner }) => ({ password: owner.password }),
  'login-passkey': () => ({ ceremony: 'none', credential: forgedCredential }),
  'users-create_passkey': () => ({ ceremony: 'none', credential: forgedCredential, name: 'x' }),
  'users-update_passkey (nobody)': () => ({ name: 'x' }),
  'login-oidc_complete': () => ({ code: 'none' }),
  'login-link': () => ({ token: 'none' }),
  'login-link_account': () => ({ token: 'none' }),
  'users-confirm_oidc': () => ({ return_to: '/' }),
  'login-second_factor': () => ({ login: 'none', code: '123456' }),
  'login-enrolment': () => ({ login: 'none' }),
  'login-enrolment_confirm': () => ({ login: 'none', code: '123456' }),
  'users-confirm_totp': () => ({ code: '123456' }),
  'users-register_user': ({ newEmail }) => ({ email: newEmail, password }),
  'users-update_user': () => ({ is_superuser: true }),
  'users-update_user (the superuser)': () => ({ is_superuser: false }),
  'users-update_user (nobody)': () => ({ full_name: 'x' }),
  'files-upload_file': () => Buffer.from('text'),
  'files-upload_file (malformed)': () => Buffer.from('text'),
  'login-accept_invitation': () => ({ token: 'none', password }),
  'login-confirm_email': () => ({ token: 'none' }),
  'users-invite_user': ({ newEmail }) => ({ email: newEmail }),
  'users-invite_user (malformed)': () => ({}),
  'users-create_token': () => ({ name: 'Export', scope: 'write', expires_at: '2026-02-01T00:00:00Z' }),
}

for (const { table: tag, noun, least, changes } of samples) {
  Object.assign(bodies, {
    [`${tag}-bulk_${tag}`]: ({ rowIds }) => ({ action: 'delete', ids: [rowIds[tag]] }),
    [`${tag}-bulk_${tag} (malformed)`]: () => ({ action: 'delete', ids: ['x'] }),
    [`${tag}-create_${noun}`]: () => least,
    [`${tag}-create_${noun} (malformed)`]: () => ({}),
    [`${tag}-update_${noun}`]: () => changes[0] ?? {},
  } satisfies typeof bodies)
}

/** The request for a row of the table. Words in parentheses say which ids are in the path. */
function callOf(row: string, cast: Cast): [method: Method, url: string, body: object | undefined] {
  const { method, path } = operationOf(row)
  const [, which] = /\((.*)\)/.exec(row) ?? []
  const [tag = ''] = row.split('-')
  const own: Record<string, string | undefined> = {
    email: cast.owner.email,
    user_id: which === 'the superuser' ? cast.superuser.id : which === 'invited' ? cast.invitedId : cast.owner.id,
    session_id: cast.sessionId,
    token_id: cast.apiTokenId,
    id: cast.rowIds[tag],
  }
  const ids: Record<string, (id: string) => string> = {
    nobody: () => nobody,
    malformed: () => 'not-a-uuid',
    'upper case': (id) => id.toUpperCase(),
  }
  const url = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ids[which ?? '']?.(own[name] ?? '') ?? own[name] ?? nobody,
  )
  return [method, url + (queries[row] ?? ''), bodies[row]?.(cast)]
}

const resourceRows = samples.map(({ table: tag, noun }) =>
  resourceTable.replaceAll('TABLE', tag).replaceAll('NOUN', noun),
)
const rows = [table, ...resourceRows]
  .flatMap((text) => text.split('\n').filter((line) => /^\w/.test(line)))
  .map((line) => line.split(/ {2,}/))
  .map(([name = '', ...statuses]) => [name, statuses.map(Number)] as const)

function operationOf(row: string): Operation {
  const id = row.replace(/ \(.*/, '')
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`The contract has no ${id}`)
  return found
}

/** Removes the times of the last use, because refused requests also use their token. */
function withoutUse({ users, apiTokens, ...others }: Awaited<ReturnType<typeof snapshot>>) {
  return {
    users: users.map(({ token_used_at: _used, ...user }) => user),
    apiTokens: apiTokens.map(({ last_used_at: _used, address: _address, ...token }) => token),
    ...others,
  }
}

const buildAppWithFiles = () => buildTestApp({ DATA_DIR: newFolder() }, { takesFiles: true })

const callers = ['no token', 'malformed', 'ended', 'deactivated', 'owner', 'other', 'superuser', 'second'] as const
type Caller = (typeof callers)[number]

const details = (caller: Caller): Partial<Record<number, string>> => ({
  401: caller === 'no token' ? 'Not authenticated' : 'Could not validate credentials',
  403: "The user doesn't have enough privileges",
})

describe('authorization', () => {
  test.each(rows)('%s', async (name, statuses) => {
    const testApp = await buildAppWithFiles()
    const seen: number[] = []
    let { cast, clients } = await enact(testApp)
    for (const caller of callers) {
      const call = callOf(name, cast)
      const isRefused = [403, 404].includes(statuses[seen.length] ?? 0)
      const before = isRefused && (await snapshot(testApp))
      const { statusCode, headers, body } = await clients[caller].send(...call)
      seen.push(statusCode)
      expect(isRefused && (await snapshot(testApp))).toEqual(before)
      expect(isRefused && body.includes(cast.owner.email)).toBe(false)
      const detail = details(caller)[statusCode]
      expect(body).toBe(detail === undefined ? body : JSON.stringify({ detail }))
      expect(headers['www-authenticate']).toBe(statusCode === 401 ? 'Bearer' : undefined)
      if (call[0] !== 'GET' && statusCode < 400) ({ cast, clients } = await enact(testApp))
    }
    expect(seen).toEqual(statuses)
  })

  /** @returns the error if the contract forbids the operation to tokens with this scope */
  function refusalOf(name: string, scope: 'read' | 'write'): string | undefined {
    const { forTokens } = operationOf(name)
    if (forTokens === undefined) return 'Tokens cannot do this'
    return forTokens === 'write' && scope === 'read' ? 'This token may only read' : undefined
  }

  /** Changes a user's name, because tokens may change nothing else of users. */
  function callByToken(name: string, cast: Cast): ReturnType<typeof callOf> {
    const [method, url, json] = callOf(name, cast)
    return [method, url, name.startsWith('users-update_user') ? { full_name: 'Somebody' } : json]
  }

  const scopes = ['read', 'write'] as const
  const secured = rows.filter(([name]) => operationOf(name).security)

  test('API tokens are refused what the contract does not mark for their scope', async () => {
    const testApp = await buildAppWithFiles()
    const { cast } = await enact(testApp)
    const programs = await Promise.all(
      [cast.owner, cast.superuser].flatMap((person) =>
        scopes.map(async (scope) => ({ scope, program: await testApp.newApiToken(person, scope) })),
      ),
    )
    const before = withoutUse(await snapshot(testApp))
    for (const [name] of secured)
      for (const { scope, program } of programs) {
        const detail = refusalOf(name, scope)
        if (detail === undefined) continue
        const response = await program.send(...callOf(name, cast))
        expect([name, scope, statusAndBody(response)]).toEqual([name, scope, [403, { detail }]])
      }
    expect(withoutUse(await snapshot(testApp))).toEqual(before)
  })

  const accounts = ['owner', 'other', 'superuser'] as const

  test('API tokens read what their accounts may', async () => {
    const testApp = await buildAppWithFiles()
    const { cast, people } = await enact(testApp)
    for (const account of accounts)
      for (const scope of scopes) {
        const program = await testApp.newApiToken(people[account], scope)
        for (const [name, statuses] of secured) {
          if (operationOf(name).forTokens !== 'read') continue
          const { statusCode } = await program.send(...callByToken(name, cast))
          const expected = statuses[callers.indexOf(account)]
          expect([name, account, scope, statusCode]).toEqual([name, account, scope, expected])
        }
      }
  })

  const changing = secured.filter(([name]) => operationOf(name).forTokens === 'write')

  test.each(changing)('%s, by API tokens that may change', async (name, statuses) => {
    const testApp = await buildAppWithFiles()
    for (const account of accounts) {
      const { cast, people } = await enact(testApp)
      const program = await testApp.newApiToken(people[account], 'write')
      const { statusCode } = await program.send(...callByToken(name, cast))
      expect([account, statusCode]).toEqual([account, statuses[callers.indexOf(account)]])
    }
  })

  test('operations without security ignore an API token', async () => {
    const testApp = await buildAppWithFiles()
    const program = await testApp.newApiToken(await testApp.newUser(), 'read')
    expect((await program.get('/instance')).statusCode).toBe(200)
  })

  test('a scope is for reading exactly where the method is', () => {
    const marked = operations.filter(({ forTokens }) => forTokens !== undefined)
    expect(marked.filter(({ forTokens, method }) => (forTokens === 'read') !== (method === 'GET'))).toEqual([])
    expect(marked.filter(({ security }) => !security)).toEqual([])
    expect(marked.filter(({ isFresh }) => isFresh)).toEqual([])
  })

  test('the table has every operation of the contract', () => {
    expect(new Set(rows.map(([name]) => name.replace(/ \(.*/, '')))).toEqual(new Set(operations.map(({ id }) => id)))
    expect(Object.keys({ ...queries, ...bodies }).filter((row) => !rows.some(([name]) => name === row))).toEqual([])
  })
})

/** Creates what the requests need. Refused requests leave it unchanged for the next one. */
async function enact({ anonymous, as, newUser, newApiToken, logIn, store }: TestApp) {
  const owner = await newUser()
  const superuser = await newUser({ is_superuser: true })
  const { id: invitedId } = await newUser()
  await store.db.updateTable('users').set({ password_hash: '', is_invited: 1 }).where('id', '=', invitedId).execute()
  await logIn(owner.email, owner.password)
  const sessions = await owner.get('/users/me/sessions')
  const { data } = sessions.json<{ data: { id: string; current: boolean }[] }>()
  const uploaded = await owner.post('/files?name=a.txt', Buffer.from('text'))
  const cast: Cast = {
    owner,
    superuser,
    rowIds: { files: uploaded.json<{ id: string }>().id },
    newEmail: `${randomUUID()}@example.com`,
    invitedId,
    sessionId: data.find(({ current }) => !current)?.id ?? nobody,
    apiTokenId: (await newApiToken(owner, 'read')).id,
  }
  for (const sample of samples) cast.rowIds[sample.table] = await addRow(owner, sample)
  const second = await newUser({ is_superuser: true })
  const [other, ended, deactivated] = [await newUser(), await newUser(), await newUser()]
  await ended.post('/logout')
  await store.db.updateTable('users').set({ is_active: 0 }).where('id', '=', deactivated.id).execute()
  const nobodys = { 'no token': anonymous, malformed: as('not.a.token') }
  const clients: Record<Caller, Client> = { ...nobodys, ended, deactivated, owner, other, superuser, second }
  return { cast, people: { owner, other, superuser }, clients }
}

import { describe, expect, test } from 'vitest'
import type { UsersPublic } from '../contract/types.gen.ts'
import { explainFailure } from '../cli/explain-failure.ts'
import { addFirstSuperuser } from '../cli/first-superuser.ts'
import { ensureFirstSuperuser } from '../operator/rules.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { snapshot } from '../test/snapshot.ts'
import { buildTestApp, knownPassword, newPassword, statusAndBody } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'

describe('users, for superusers', () => {
  test('are created with the given values, and get a link to set a password', async () => {
    const { deliverMails, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const create = async (more: object) => root.post('/users/', { password: newPassword, ...more })
    const made = await create({ email: 'one@example.com' })
    // SPEC 4: new accounts are neither superusers nor active by default.
    expect(made.json()).toMatchObject({ is_active: false, is_superuser: false, full_name: null })
    const wide = await create({ email: 'two@example.com', full_name: 'Two', is_active: true, is_superuser: true })
    expect(wide.json()).toMatchObject({ is_active: true, is_superuser: true, full_name: 'Two' })
    expect(statusAndBody(await create({ email: 'ONE@example.com' }))).toEqual([
      409,
      { detail: 'A user with this email already exists' },
    ])
    const mails = await deliverMails()
    expect(new Set(mails.map(({ to, kind }) => `${kind} to ${to}`))).toEqual(
      new Set(['account-created to one@example.com', 'account-created to two@example.com']),
    )
    expect(mails).toHaveLength(2)
    for (const { text, html } of mails) {
      expect(text + html).not.toContain(newPassword)
      expect(text).toMatch(/^http:\/\/localhost:8000\/reset-password\?token=[\w-]{43}$/m)
    }
  })

  test('are listed newest first, with their count', async () => {
    const { newUser, clock, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const ids = [root.id]
    for (let i = 0; i < 4; i += 1) {
      clock.advance(1)
      ids.unshift((await newUser()).id)
    }
    const page = async (query: string) => {
      const { data, count } = (await root.get(`/users/${query}`)).json<UsersPublic>()
      return [data.map((user) => user.id), count]
    }
    expect(await page('')).toEqual([ids, 5])
    expect(await page('?skip=1&limit=2')).toEqual([ids.slice(1, 3), 5])
    expect(await page('?skip=5')).toEqual([[], 5])
  })

  test('keep fields that a change omits', async () => {
    const { newUser } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const ada = await newUser({ full_name: 'Ada', email: 'ada@example.com' })
    const patch = async (json: object) => root.patch(`/users/${ada.id}`, json)
    const before = { ...(await patch({})).json<object>(), version: expect.any(String) as string }
    expect(before).toMatchObject({ full_name: 'Ada', is_active: true })
    expect((await patch({ full_name: null })).json()).toEqual({ ...before, full_name: null })
    expect((await patch({ email: 'New@example.com' })).json()).toMatchObject({ email: 'New@example.com' })
    const read = await root.get(`/users/${ada.id.toUpperCase()}`)
    expect(read.json()).toEqual({ ...before, full_name: null, email: 'New@example.com', email_confirmed_at: null })
    const taken = await newUser()
    expect(statusAndBody(await patch({ email: taken.email }))).toEqual([
      409,
      { detail: 'A user with this email already exists' },
    ])
  })

  test.each([
    ['password', { password: newPassword }, true],
    ['role', { is_superuser: true }, true],
    ['status', { is_active: false }, true],
    ['name', { full_name: 'New' }, false],
    ['address', { email: 'new@example.com' }, false],
    ['nothing', { is_active: true, is_superuser: false }, false],
  ])('a change of %s: sessions end only if it affects access', async (_what, json, ends) => {
    const { root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    expect((await root.patch(`/users/${ada.id}`, json)).statusCode).toBe(200)
    expect((await ada.get('/users/me')).statusCode).toBe(ends ? 401 : 200)
  })

  test('a password set by an administrator works and sends a mail', async () => {
    const { logIn, deliverMails, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    await root.patch(`/users/${ada.id}`, { password: newPassword })
    expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
    const mails = await deliverMails()
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'password-changed']])
    expect(JSON.stringify(mails)).not.toContain(newPassword)
  })

  test('the last active superuser cannot be removed', async () => {
    const { newUser, root } = await buildTestAppWith({ root: { is_superuser: true } })
    await newUser({ is_superuser: true, is_active: false })
    const detail = 'The last active superuser cannot be deleted, demoted or deactivated'
    for (const json of [{ is_superuser: false }, { is_active: false }, { is_active: false, full_name: 'x' }])
      expect(statusAndBody(await root.patch(`/users/${root.id}`, json))).toEqual([409, { detail }])
    expect((await root.get('/users/me')).json()).toMatchObject({ full_name: null })

    const other = await newUser({ is_superuser: true })
    const demoted = await root.patch(`/users/${root.id}`, { is_superuser: false })
    expect(demoted.json()).toMatchObject({ is_superuser: false })
    expect((await root.get('/users/me')).statusCode).toBe(401)
    expect((await other.delete(`/users/${root.id}`)).statusCode).toBe(200)
  })

  test('are deleted with their data', async () => {
    const { app, housekeeping, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    for (const sample of anyResource) await addRow(ada, sample)
    const deleted = await root.delete(`/users/${ada.id}`)
    expect(statusAndBody(deleted)).toEqual([200, { message: 'User deleted successfully' }])
    for (const { table } of anyResource) expect((await root.get(`/${table}/`)).json()).toEqual({ data: [], count: 0 })
    await housekeeping.runAll()
    expect((await snapshot(app)).rows).toEqual([])
    expect(statusAndBody(await root.get(`/users/${ada.id}`))).toEqual([404, { detail: 'User not found' }])
  })
})

describe('the first superuser', () => {
  test('is created once on an empty database', async () => {
    const { context, logIn } = await buildTestApp()
    const made = await Promise.all([
      ensureFirstSuperuser(context, 'root@example.com', knownPassword),
      ensureFirstSuperuser(context, 'root@example.com', knownPassword),
    ])
    expect(made.filter(Boolean)).toEqual([{ email: 'root@example.com', generatedPassword: undefined }])
    expect(await logIn('root@example.com', knownPassword)).toBeTypeOf('string')
    expect(await ensureFirstSuperuser(context, 'other@example.com', undefined)).toBeUndefined()
  })

  test('does not get a password that the strict policy rejects; the error names the setting', async () => {
    const { context } = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    const said: string[] = []
    const start = (password: string) =>
      addFirstSuperuser(
        { ...context, config: { ...context.config, firstSuperuser: { email: 'root@example.com', password } } },
        (line) => said.push(line),
      )
    const failure: unknown = await start('password123').catch((error: unknown) => error)
    expect(explainFailure(failure)).toBe('Invalid settings:\n  FIRST_SUPERUSER_PASSWORD: Password is too common')
    expect(said).toEqual([])
    await start(knownPassword)
    expect(said).toEqual(['The first superuser is root@example.com'])
    // The setting is ignored if the database has accounts.
    await start('password123')
  })

  test('gets a generated password if none is configured', async () => {
    const { context, logIn, log } = await buildTestApp()
    const made = await ensureFirstSuperuser(context, 'root@example.com', undefined)
    expect(made?.generatedPassword).toMatch(/^[\w-]{22}$/)
    expect(await logIn('root@example.com', made?.generatedPassword ?? '')).toBeTypeOf('string')
    expect(log.text()).not.toContain(made?.generatedPassword)
  })
})

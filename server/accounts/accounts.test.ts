import { describe, expect, test } from 'vitest'
import { endSession, resume } from '../sessions/rules.ts'
import type { SessionActor } from '../users/access.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { snapshot } from '../test/snapshot.ts'
import { buildTestApp, newPassword, statusAndBody } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { deleteOwnAccount } from './rules.ts'
import { emptyProfile } from '../../tests/support/samples.ts'

describe('sign-up', () => {
  test('creates an active regular account and ignores other fields', async () => {
    const { anonymous, logIn, ada } = await buildTestAppWith({ ada: {} })
    const json = { email: ' New@Example.com ', password: newPassword, full_name: 'New', confirm_password: newPassword }
    const extra = { is_superuser: true, is_active: false, id: ada.id, created_at: '1999-01-01T00:00:00Z' }
    const made = await anonymous.post('/users/signup', { ...json, ...extra })
    expect(statusAndBody(made)).toEqual([
      200,
      {
        ...emptyProfile,
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        email: 'New@Example.com',
        full_name: 'New',
        is_active: true,
        is_superuser: false,
        created_at: '2026-01-01T00:00:00.000Z',
        last_active_at: null,
        is_invited: false,
        email_confirmed_at: null,
        pending_email: null,
        version: expect.any(String) as string,
      },
    ])
    expect(made.json<{ id: string }>().id).not.toBe(ada.id)
    expect(await logIn('new@example.com', newPassword)).toMatch(/^[\w-]{43}$/)
  })

  test('with an existing address in any spelling is 409', async () => {
    const { anonymous, newUser } = await buildTestApp()
    await newUser({ email: 'Ärger@Example.com' })
    const spellings = ['Ärger@Example.com', 'ärger@example.COM', '  ÄRGER@EXAMPLE.COM ', '\u00C4\uFF52ger@example.com']
    for (const email of spellings) {
      const response = await anonymous.post('/users/signup', { email, password: newPassword })
      expect(statusAndBody(response)).toEqual([409, { detail: 'A user with this email already exists' }])
    }
  })

  test('accepts passwords of 8 to 256 code points of any kind, and never trims them', async () => {
    const { anonymous, logIn } = await buildTestApp()
    let number = 0
    const signUp = async (password: string) => {
      const email = `p${(number += 1)}@example.com`
      const { statusCode } = await anonymous.post('/users/signup', { email, password })
      return { email, statusCode }
    }
    for (const good of [
      '        ',
      '👩'.repeat(8),
      '👩'.repeat(256),
      'a\0b\0c\0d\0',
      '  spaces  ',
      'a\u0308'.repeat(4),
    ]) {
      const { email, statusCode } = await signUp(good)
      expect([good, statusCode]).toEqual([good, 200])
      expect(await logIn(email, good)).toBeTypeOf('string')
      expect(await logIn(email, `${good} `)).toBeUndefined()
    }
    for (const bad of ['1234567', '👩'.repeat(7), 'x'.repeat(257)]) expect((await signUp(bad)).statusCode).toBe(422)
  })

  test('accepts valid addresses of up to 255 characters', async () => {
    const { anonymous } = await buildTestApp()
    const status = async (email: unknown) =>
      (await anonymous.post('/users/signup', { email, password: newPassword })).statusCode
    const longestAddress = `${'a'.repeat(64)}@${[63, 63, 62].map((length) => 'b'.repeat(length)).join('.')}`
    expect(longestAddress).toHaveLength(255)
    for (const good of ["o'brien+tag@sub.example.com", 'ü@exämple.de', 'o\u0308@exa\u0308mple.com', longestAddress])
      expect([good, await status(good)]).toEqual([good, 200])
    const bad = ['', 'a', 'a@b', '@example.com', 'a@example', 'a b@example.com', 'a@b@example.com', 'a@-b.com']
    for (const email of [
      ...bad,
      'a@example.com\r\nBcc: x@y.zz',
      'a,b@example.com',
      longestAddress.replace('@', '@b.'),
      5,
    ])
      expect([email, await status(email)]).toEqual([email, 422])
  })

  test('explains validation errors', async () => {
    const { anonymous } = await buildTestApp()
    expect((await anonymous.post('/users/signup', { email: 'a@b', password: 'short', full_name: 5 })).json()).toEqual({
      detail: [
        { loc: ['body', 'email'], msg: 'Value is not a valid email address', type: 'pattern' },
        { loc: ['body', 'password'], msg: 'String should have at least 8 characters', type: 'minLength' },
        { loc: ['body', 'full_name'], msg: 'Input should be a text or null', type: 'type' },
      ],
    })
    expect((await anonymous.post('/users/signup', {})).json()).toEqual({
      detail: [
        { loc: ['body', 'email'], msg: 'Field required', type: 'required' },
        { loc: ['body', 'password'], msg: 'Field required', type: 'required' },
      ],
    })
  })
})

describe('the own account', () => {
  test('can change only its name and address', async () => {
    const { ada } = await buildTestAppWith({ ada: { full_name: 'Ada' } })

    const patch = async (json: object) => ada.patch('/users/me', json)
    const before = (await ada.get('/users/me')).json<object>()
    expect(statusAndBody(await patch({}))).toEqual([200, before])
    const wide = { is_superuser: true, is_active: false, id: 'x', password: newPassword, created_at: 'x' }
    expect(statusAndBody(await patch(wide))).toEqual([200, before])
    const version = expect.any(String) as string
    expect(statusAndBody(await patch({ full_name: null }))).toEqual([200, { ...before, full_name: null, version }])
    const after = { ...before, full_name: 'Ada L', email: 'ada@example.org', email_confirmed_at: null, version }
    expect(statusAndBody(await patch({ full_name: 'Ada L', email: ' ada@example.org' }))).toEqual([200, after])
    expect(statusAndBody(await ada.get('/users/me'))).toEqual([200, after])
    expect((await patch({ full_name: 'x'.repeat(255) })).statusCode).toBe(200)
    expect((await patch({ full_name: 'x'.repeat(256) })).statusCode).toBe(422)
  })

  test('cannot take another user’s address, but can change the spelling of its own', async () => {
    const { newUser, deliverMails, ada } = await buildTestAppWith({ ada: { email: 'ada@example.com' } })
    await newUser({ email: 'ben@example.com' })
    const patch = async (json: object) => ada.patch('/users/me', json)
    expect(statusAndBody(await patch({ email: 'BEN@example.com', full_name: 'x' }))).toEqual([
      409,
      { detail: 'A user with this email already exists' },
    ])
    expect((await ada.get('/users/me')).json()).toMatchObject({ full_name: null })
    expect((await patch({ email: 'ADA@example.com' })).json()).toMatchObject({ email: 'ADA@example.com' })
    expect(await deliverMails()).toEqual([])
  })

  test('a change of address is mailed to the old address', async () => {
    const { deliverMails, logIn, ada } = await buildTestAppWith({ ada: { email: 'ada@example.com' } })
    await ada.patch('/users/me', { email: 'new@example.com' })
    const mails = await deliverMails()
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([['ada@example.com', 'address-changed']])
    expect(mails[0]?.text).not.toContain('new@example.com')
    expect(await logIn('ada@example.com', ada.password)).toBeUndefined()
    expect(await logIn('new@example.com', ada.password)).toBeTypeOf('string')
  })

  test('a new password keeps the current session, ends all others and sends a mail', async () => {
    const { as, newUser, logIn, deliverMails, ada } = await buildTestAppWith({ ada: {} })
    const elsewhere = await logIn(ada.email, ada.password)
    const stranger = await newUser()
    const json = { current_password: ada.password, new_password: newPassword, confirm_password: 'ignored' }
    const changed = await ada.patch('/users/me/password', json)
    expect(statusAndBody(changed)).toEqual([200, { message: 'Password updated successfully' }])
    const status = async (token: string) => (await as(token).get('/users/me')).statusCode
    expect([await status(ada.token), await status(elsewhere), await status(stranger.token)]).toEqual([200, 401, 200])
    expect(await logIn(ada.email, ada.password)).toBeUndefined()
    expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
    expect((await deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'password-changed']])
  })

  test('a password change needs the current password and a different new one', async () => {
    const { ada } = await buildTestAppWith({ ada: {} })
    const change = async (current_password: string, new_password: string) =>
      statusAndBody(await ada.patch('/users/me/password', { current_password, new_password }))
    expect(await change('not the password', newPassword)).toEqual([400, { detail: 'Incorrect password' }])
    expect(await change('not the password', 'not the password')).toEqual([400, { detail: 'Incorrect password' }])
    const same = [400, { detail: 'New password cannot be the same as the current one' }]
    expect(await change(ada.password, ada.password)).toEqual(same)
    expect((await change(ada.password, 'short'))[0]).toBe(422)
  })

  test('is deleted with its data and sessions', async () => {
    const { app, logIn, housekeeping, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    for (const person of [ada, ben]) for (const sample of anyResource) await addRow(person, sample)
    expect(statusAndBody(await ada.delete('/users/me'))).toEqual([200, { message: 'User deleted successfully' }])
    expect((await ada.get('/users/me')).statusCode).toBe(401)
    expect(await logIn(ada.email, ada.password)).toBeUndefined()
    await housekeeping.runAll()
    const { rows, sessions, users } = await snapshot(app)
    expect([rows.length, sessions.length, users.length]).toEqual([anyResource.length, 1, 1])
  })

  test('is not deleted by a session that ended after authentication', async () => {
    const { app, context, ada } = await buildTestAppWith({ ada: {} })
    for (const sample of anyResource) await addRow(ada, sample)
    const actor = (await resume(context, ada.token, { ip: '127.0.0.1', userAgent: undefined })) as SessionActor
    await endSession(context, actor)
    await expect(deleteOwnAccount(context, actor, undefined)).rejects.toMatchObject({ kind: 'unauthenticated' })
    const { rows, users } = await snapshot(app)
    expect([rows.length, users.length]).toEqual([anyResource.length, 1])
  })

  test('of a superuser cannot be deleted by its owner', async () => {
    const { newUser, root } = await buildTestAppWith({ root: { is_superuser: true } })
    await newUser({ is_superuser: true })
    for (const url of ['/users/me', `/users/${root.id}`])
      expect(statusAndBody(await root.delete(url))).toEqual([
        409,
        { detail: 'Superusers are not allowed to delete themselves' },
      ])
  })
})

import { describe, expect, test } from 'vitest'
import { newPassword, type TestApp, tokenIn } from './build-test-app.ts'
import { allAtOnce, buildPeopledServers, tally, TIMES } from './two-servers.ts'

describe('concurrently', () => {
  test('a reset token sets one password', async () => {
    const { servers, one, ada } = await buildPeopledServers()
    await one.anonymous.post(`/password-recovery/${ada.email}`)
    const token = tokenIn((await one.deliverMails())[0])
    const responses = await allAtOnce(servers, (server, index) =>
      server.anonymous.post('/reset-password/', { token, new_password: `password number ${index}` }),
    )
    expect(tally(responses)).toEqual({ 200: 1, 400: TIMES - 1 })
    const winner = responses.findIndex(({ statusCode }) => statusCode === 200)
    expect(await one.logIn(ada.email, `password number ${winner}`)).toBeTypeOf('string')
  })

  test('a session that was started with the old password does not survive a password change', async () => {
    const { one, two } = await buildPeopledServers()
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser()
      const json = { current_password: ada.password, new_password: newPassword }
      const [changed, entered] = await Promise.all([
        ada.patch('/users/me/password', json),
        two.tryLogIn(ada.email, ada.password),
      ])
      expect(changed.statusCode).toBe(200)
      // Either the log-in came too late, or the change has ended its session.
      const { access_token, detail } = entered.json<{ access_token?: string; detail?: string }>()
      const after = await two.as(access_token ?? 'none').get('/users/me')
      expect([detail ?? 'Incorrect email or password', after.statusCode]).toEqual(['Incorrect email or password', 401])
      expect((await ada.get('/users/me')).statusCode).toBe(200)
    }
  })

  test('a new session does not survive the account’s deactivation or deletion', async () => {
    const { one, two, root } = await buildPeopledServers()
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser()
      const [ended, entered] = await Promise.all([
        round % 2 === 0 ? root.patch(`/users/${ada.id}`, { is_active: false }) : root.delete(`/users/${ada.id}`),
        two.tryLogIn(ada.email, ada.password),
      ])
      expect(ended.statusCode).toBe(200)
      expect([200, 400]).toContain(entered.statusCode)
      const sessions = await one.store.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id).execute()
      expect(sessions).toEqual([])
    }
  })

  test('of two password changes with the same current password, one succeeds', async () => {
    const { one, two, ada } = await buildPeopledServers()
    const change = (server: TestApp, new_password: string) =>
      server.as(ada).patch('/users/me/password', { current_password: ada.password, new_password })
    const responses = await Promise.all([change(one, 'password number one'), change(two, 'password number two')])
    expect(tally(responses)).toEqual({ 200: 1, 400: 1 })
  })

  test('a reset link to the old address is invalid after a change of address', async () => {
    const { one, two } = await buildPeopledServers()
    for (let round = 0; round < 20; round += 1) {
      const ada = await one.newUser()
      await one.anonymous.post(`/password-recovery/${ada.email}`)
      const [, mails] = await Promise.all([
        two.as(ada).patch('/users/me', { email: `new-${round}@example.com` }),
        one.deliverMails(),
      ])
      for (const mail of mails.filter(({ kind }) => kind === 'recovery')) {
        const json = { token: tokenIn(mail), new_password: newPassword }
        expect((await one.anonymous.post('/reset-password/', json)).statusCode).toBe(400)
      }
    }
  })

  test('many recovery requests send one mail per network', async () => {
    const { servers, one, two, ada } = await buildPeopledServers()
    const responses = await allAtOnce(servers, (server, index) =>
      server.anonymous.post(`/password-recovery/${ada.email}`, undefined, { ip: `192.0.2.${index % 2}` }),
    )
    expect(tally(responses)).toEqual({ 200: TIMES })
    const delivered = await Promise.all([one.deliverMails(), two.deliverMails()])
    expect(delivered.flat()).toHaveLength(2)
  })

  test('several servers send each mail once', async () => {
    const { servers, one, two, root } = await buildPeopledServers()
    await allAtOnce(servers, (server, index) =>
      server.as(root).post('/users/', { email: `a${index}@example.com`, password: 'long enough' }),
    )
    const delivered = (await Promise.all([one.deliverMails(), two.deliverMails()])).flat()
    expect(delivered).toHaveLength(TIMES)
    expect(new Set(delivered.map(({ to }) => to)).size).toBe(TIMES)
  })
})

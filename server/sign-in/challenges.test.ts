import { expect, test } from 'vitest'
import { hashToken } from '../platform/lib/secret-token.ts'
import { buildTestAppWith } from '../test/people.ts'
import { issueChallenge, readChallenge, redeemChallenge, updateChallenge } from './challenges.ts'

const MINUTE = 60_000
const logIn = { passwordHash: 'the hash', appId: null, secret: null, wrongCodes: 0 }

async function setUp() {
  const { context, clock, store, ada } = await buildTestAppWith({ ada: {} })
  const begin = () => store.transaction((tx) => issueChallenge({ ...context, tx }, 'log-in', ada.id, logIn))
  return { context, clock, store, ada, begin }
}

test('a challenge is redeemed once, and only for its purpose', async () => {
  const { context, ada, begin } = await setUp()
  const token = await begin()
  expect(await redeemChallenge(context, ['passkey', 'password-reset'], token)).toBeUndefined()
  const all = await Promise.all(Array.from({ length: 5 }, () => redeemChallenge(context, ['log-in'], token)))
  expect(all.filter(Boolean)).toMatchObject([{ userId: ada.id, payload: logIn }])
})

test('a transaction that fails does not use up a challenge', async () => {
  const { context, store, begin } = await setUp()
  const token = await begin()
  const failed = store.transaction(async (tx) => {
    expect(await redeemChallenge({ ...context, tx }, ['log-in'], token)).toBeDefined()
    throw new Error('It fails')
  })
  await expect(failed).rejects.toThrow('It fails')
  expect(await redeemChallenge(context, ['log-in'], token)).toBeDefined()
})

test('a challenge expires after 5 minutes, and is not valid if its creation is in the future', async () => {
  const { context, clock, begin } = await setUp()
  const token = await begin()
  clock.advance(5 * MINUTE - 1)
  expect(await readChallenge(context, ['log-in'], token)).toBeDefined()
  clock.advance(1)
  expect(await readChallenge(context, ['log-in'], token)).toBeUndefined()
  clock.advance(-15 * MINUTE)
  expect(await readChallenge(context, ['log-in'], token)).toBeUndefined()
})

test('an account keeps only its five newest challenges', async () => {
  const { context, clock, begin } = await setUp()
  const tokens: string[] = []
  for (let number = 0; number < 7; number += 1) {
    tokens.push(await begin())
    clock.advance(1)
  }
  const found = await Promise.all(tokens.map((token) => readChallenge(context, ['log-in'], token)))
  expect(found.map(Boolean)).toEqual([false, false, true, true, true, true, true])
})

test('the payload of a challenge can be changed, and only its token decrypts it', async () => {
  const { context, store, begin } = await setUp()
  const [token, other] = [await begin(), await begin()]
  const challenge = await readChallenge(context, ['log-in'], token)
  if (!challenge) throw new Error('It should be there')
  await store.transaction((tx) => updateChallenge(tx, challenge, token, { wrongCodes: 3 }))
  expect((await readChallenge(context, ['log-in'], token))?.payload).toEqual({ ...logIn, wrongCodes: 3 })
  const rows = await store.db.selectFrom('challenges').selectAll().execute()
  for (const text of ['the hash', token, other]) expect(JSON.stringify(rows)).not.toContain(text)
  const theirs = rows.find(({ digest }) => digest === hashToken(other))
  const payload = theirs?.payload ?? ''
  await store.db.updateTable('challenges').set({ payload }).execute()
  await expect(readChallenge(context, ['log-in'], token)).rejects.toThrow('authenticate')
})

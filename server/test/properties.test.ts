import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import contract from '../../openapi.json' with { type: 'json' }
import { emailKey } from '../platform/lib/email-address.ts'
import { subnet } from '../platform/lib/network-address.ts'
import type { Sample } from '../../tests/support/samples.ts'
import { addRow, anyResource } from './any-resource.ts'
import { buildTestApp, type List, type Person, type TestApp } from './build-test-app.ts'
import { expectConsistentCounts } from './two-servers.ts'

const operation = fc.oneof(
  fc.record({ kind: fc.constant('add'), who: fc.nat(3) }),
  fc.record({ kind: fc.constant('remove'), who: fc.nat(3), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('sign up'), who: fc.nat(3) }),
  fc.record({ kind: fc.constant('leave'), who: fc.nat(3) }),
  fc.record({ kind: fc.constant('wait'), who: fc.nat(5) }),
)

interface World {
  people: Person[]
  /** Newest first. */
  rows: { id: string; owner: string }[]
  userIds: string[]
}

type Operation = { kind: string; who: number; which?: number }

async function play({ newUser, clock }: TestApp, sample: Sample, world: World, operations: Operation[]) {
  for (const { kind, who, which = 0 } of operations) {
    const person = world.people[who % Math.max(1, world.people.length)]
    if (kind === 'wait') clock.advance(who)
    else if (kind === 'sign up') {
      const added = await newUser()
      world.people.push(added)
      world.userIds.unshift(added.id)
    } else if (!person) continue
    else if (kind === 'add') world.rows.unshift({ id: await addRow(person, sample), owner: person.id })
    else if (kind === 'remove') {
      const own = world.rows.filter(({ owner }) => owner === person.id)
      const victim = own[which % Math.max(1, own.length)]
      if (victim) await person.delete(`/${sample.table}/${victim.id}`)
      world.rows = world.rows.filter((row) => row !== victim)
    } else {
      await person.delete('/users/me')
      world.people = world.people.filter((other) => other !== person)
      world.userIds = world.userIds.filter((id) => id !== person.id)
      world.rows = world.rows.filter(({ owner }) => owner !== person.id)
    }
  }
}

describe('lists', () => {
  test.each(anyResource)(
    'have the rows that were added and not removed, newest first, with correct pages and counts',
    async (sample) => {
      const testApp = await buildTestApp()
      const root = await testApp.newUser({ is_superuser: true })
      const world: World = { people: [], rows: [], userIds: [root.id] }
      const page = fc.record({ skip: fc.nat(12), limit: fc.integer({ min: 1, max: 12 }) })
      const some = fc.array(operation, { minLength: 1, maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(some, page, async (operations, { skip, limit }) => {
          await play(testApp, sample, world, operations)
          const read = async (person: Person) => {
            const { data, count } = (await person.get(`/${sample.table}/?skip=${skip}&limit=${limit}`)).json<List>()
            return [data.map(({ id }) => id), count]
          }
          const expected = (ids: string[]) => [ids.slice(skip, skip + limit), ids.length]
          expect(await read(root)).toEqual(expected(world.rows.map(({ id }) => id)))
          for (const person of world.people) {
            const own = world.rows.filter(({ owner }) => owner === person.id).map(({ id }) => id)
            expect(await read(person)).toEqual(expected(own))
          }
          const users = (await root.get('/users/')).json<List>()
          expect(users.count).toBe(world.userIds.length)
          expect(new Set(users.data.map(({ id }) => id))).toEqual(new Set(world.userIds))
          await expectConsistentCounts(testApp)
        }),
        { numRuns: 25 },
      )
    },
  )

  test('concatenated pages of any size are the whole list', async () => {
    const { newUser, clock } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    for (let i = 0; i < 22; i += 1) {
      // Several users have the same millisecond. Their order must be total even so.
      if (i % 3 === 0) clock.advance(1)
      await newUser()
    }
    const read = async (skip: number, limit: number) => {
      const response = await root.get(`/users/?skip=${skip}&limit=${limit}`)
      return response.json<List<{ created_at: string }>>().data
    }
    const whole = await read(0, 100)
    expect(whole).toHaveLength(23)
    const times = whole.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted((a, b) => b.localeCompare(a)))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (limit) => {
        const pages = []
        for (let skip = 0; skip < whole.length; skip += limit) pages.push(...(await read(skip, limit)))
        expect(pages).toEqual(whole)
      }),
      { numRuns: 15 },
    )
  })
})

describe('inputs', () => {
  test.each(anyResource)(
    'that $table accept are returned unchanged, except for trimming',
    async ({ table, fields, least, searched: [name] }) => {
      const { newUser } = await buildTestApp()
      const ada = await newUser()
      const visible = new RegExp(contract.components.schemas.FullName['x-visible'], 'u')
      const storable = fc.string({ unit: 'grapheme', maxLength: 100 }).filter((given) => !given.includes('\0'))
      const optional = fields.filter(({ kind, isNullable }) => kind === 'text' && isNullable)
      await fc.assert(
        fc.asyncProperty(storable, fc.option(storable), async (title, text) => {
          const texts = Object.fromEntries(optional.map((field) => [field.name, text]))
          const made = await ada.post(`/${table}/`, { ...least, ...texts, [name]: title })
          expect(made.statusCode).toBe(visible.test(title) ? 200 : 422)
          fc.pre(made.statusCode === 200)
          const row = made.json<{ id: string }>()
          expect(row).toMatchObject({ ...texts, [name]: title.trim() })
          expect((await ada.get(`/${table}/${row.id}`)).json()).toEqual(row)
        }),
        { numRuns: 100 },
      )
    },
  )

  test('that are accepted as names are returned unchanged', async () => {
    const { newUser } = await buildTestApp()
    const ada = await newUser()
    const { 'x-visible': visible, 'x-pattern': oneLine } = contract.components.schemas.FullName
    const isValid = (name: string) => [visible, oneLine].every((pattern) => new RegExp(pattern, 'u').test(name))
    const storable = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(fc.option(storable), async (full_name) => {
        const changed = await ada.patch('/users/me', { full_name })
        expect(changed.statusCode).toBe(full_name === null || isValid(full_name) ? 200 : 422)
        fc.pre(changed.statusCode === 200)
        expect(changed.json()).toMatchObject({ full_name })
        expect((await ada.get('/users/me')).json()).toEqual(changed.json())
      }),
      { numRuns: 100 },
    )
  })

  test('of any kind get the usual responses of log-in and recovery', async () => {
    const { tryLogIn, anonymous } = await buildTestApp()
    let number = 0
    const typed = fc.string({ unit: 'binary', maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(typed, typed, async (username, password) => {
        const ip = `198.51.${Math.floor((number += 1) / 250)}.${number % 250}`
        const login = await tryLogIn(username, password, { ip })
        expect([login.statusCode, login.json()]).toEqual([400, { detail: 'Incorrect email or password' }])
        const address = encodeURIComponent(`x${username}`.toWellFormed())
        const recovery = await anonymous.post(`/password-recovery/${address}`, undefined, { ip })
        expect(recovery.statusCode).toBe(200)
      }),
      { numRuns: 100 },
    )
  })
})

describe('comparing addresses', () => {
  test('ignores case and surrounding spaces, and is idempotent', () => {
    const letters = fc.string({ unit: fc.constantFrom(...Array.from('aäßéżжΣσçñoO0.-')), minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (local, domain) => {
        const address = `${local}@${domain}`
        const key = emailKey(address)
        expect(emailKey(key)).toBe(key)
        expect(emailKey(`  ${address} `)).toBe(key)
        expect(emailKey(address.toLowerCase())).toBe(key)
      }),
    )
  })

  test('IPv6 addresses count as equal exactly if they are in the same /64', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16))
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length })
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), groups(4), (network, other, one, two) => {
        const block = subnet([...network, ...one].join(':'))
        expect(subnet([...network, ...two].join(':'))).toBe(block)
        const elsewhere = subnet([...other, ...one].join(':'))
        expect(elsewhere === block).toBe(network.join(':') === other.join(':'))
      }),
    )
  })
})

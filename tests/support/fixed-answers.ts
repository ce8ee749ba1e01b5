import type { BrowserContext } from '@playwright/test'

const idOf = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T09:30:00.000Z`

const names = ['Grace Hopper', 'Ada Lovelace', 'Alan Turing', 'Barbara Liskov', 'Edsger Dijkstra', null, 'Donald Knuth']
const users = names.map((full_name, index) => ({
  id: idOf(index + 1),
  email: `${(full_name ?? 'somebody').toLowerCase().replace(' ', '.')}@example.com`,
  full_name,
  is_active: index !== 3,
  is_superuser: index < 2,
  created_at: day(10 - index),
  last_active_at: index === 4 ? null : day(20 - index),
  is_invited: index === 4,
}))

const titles = [
  'Garden plan',
  'Purchase order',
  'A longer title, as people write them for things of some weight',
  'Notes',
]
const items = Array.from({ length: 12 }, (_, index) => ({
  id: idOf(100 + index),
  title: titles[index % titles.length],
  description: index % 3 === 0 ? null : 'Raised beds, three metres each, and a gravel path between them.',
  owner_id: idOf(1),
  created_at: day(10),
}))

const [own, other] = [
  { id: idOf(1), email: users[0]?.email },
  { id: idOf(2), email: users[1]?.email },
]
const entries = ['log-in', 'account-create', 'log-out', 'users-export'].map((action, index) => ({
  id: idOf(200 + index),
  at: day(20 - index),
  action,
  result: 'done',
  actor: own,
  subject: index === 1 ? other : own,
  address: '192.0.2.1',
}))

const session = { id: idOf(300), created_at: day(1), last_used_at: day(20), user_agent: null, address: '192.0.2.1' }

/** Answers all API requests with fixed data, for a superuser. */
export async function answerFixed(context: BrowserContext): Promise<void> {
  await context.route('**/api/v1/**', (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const path = pathname.replace('/api/v1/', '')
    const isNobody = searchParams.get('q') === 'nobody'
    const answers: Partial<Record<string, object>> = {
      instance: { name: 'Steward', version: '0.1.0', sign_up: 'open' },
      'users/me': users[0] ?? {},
      'users/me/overview': {
        items: { count: 312, last_edited: { item: items[1], at: day(10) } },
        users: { active: 1204, inactive: 31, invited: 5, newest: users.slice(0, 3) },
      },
      'users/': { data: isNobody ? [] : users, count: isNobody ? 0 : users.length },
      'items/': { data: items, count: 312 },
      'audit/': { data: entries, next: null },
      [`users/${idOf(2)}`]: users[1] ?? {},
      [`users/${idOf(2)}/sessions`]: { data: [{ ...session, current: false }], count: 1 },
    }
    const json = answers[path]
    return json ? route.fulfill({ json }) : route.fulfill({ status: 404, json: { detail: 'Not Found' } })
  })
}

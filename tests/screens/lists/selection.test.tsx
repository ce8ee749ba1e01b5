import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { logOut } from '@/data/api/log-out'
import { makeUser } from '../../support/backend'
import { renderApp, setScreenWidth } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const users = ['Ada', 'Ben', 'Eve'].map((name) =>
  makeUser({ email: `${name.toLowerCase()}@example.com`, full_name: name }),
)

const box = (name: string) => screen.findByRole('checkbox', { name: `Select ${name}` })
const bar = () => screen.findByRole('region', { name: /^Selected/ })
const noBar = () => waitFor(() => expect(screen.queryByRole('region', { name: /^Selected/ })).not.toBeInTheDocument())
const selected = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select .*@/ })
    .flatMap(({ checked, ariaLabel }) => (checked ? [ariaLabel?.replace(/Select |@.*/g, '')] : []))

async function open(url: string) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(...users, root)
      for (const { table } of anyResource) backend.rowsOf(table).push(makeRow(table))
    },
  })
  await screen.findByRole('table')
  return app
}

describe('by keyboard', () => {
  /** Focuses the name of the first row: Ada, Ben, Eve, then Root, who cannot be selected. */
  async function enterRows() {
    const app = await open('/users?sort=email')
    await app.actor.type(await screen.findByRole('searchbox'), '{ArrowDown}')
    return app
  }

  test('x and Space select a row and remove it, and open nothing', async () => {
    const { actor, router } = await open('/users')
    await actor.type(await screen.findByRole('searchbox'), '{ArrowDown}')
    const name = document.activeElement
    await actor.keyboard('x')
    expect(await bar()).toHaveTextContent('1 selected.')
    await actor.keyboard(' ')
    await noBar()
    await actor.keyboard(' ')
    expect(await bar()).toHaveTextContent('1 selected.')
    expect(name).toHaveFocus()
    expect(router.state.location.href).toBe('/users')
    await actor.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: 'Ada', level: 1 })).toBeVisible()
  })

  test('Shift with arrows selects rows, and the way back removes them', async () => {
    const { actor } = await enterRows()
    expect(screen.getByRole('link', { name: 'Ada' })).toHaveFocus()
    await actor.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    expect(selected()).toEqual(['ada', 'ben', 'eve'])
    expect(screen.getByRole('link', { name: 'Eve' })).toHaveFocus()
    await actor.keyboard('{Shift>}{ArrowUp}{/Shift}')
    expect(selected()).toEqual(['ada', 'ben'])
    await actor.keyboard('{ArrowDown}{Shift>}{ArrowUp}{/Shift}')
    expect(selected()).toEqual(['ada', 'ben', 'eve'])
  })

  test('a range does not begin at a row that the box in the heading has deselected', async () => {
    const { actor } = await enterRows()
    await actor.click(await box('ada@example.com'))
    const page = await screen.findByRole('checkbox', { name: 'Select all on this page' })
    await actor.click(page)
    await actor.click(page)
    await noBar()
    fireEvent.click(await box('eve@example.com'), { shiftKey: true })
    expect(selected()).toEqual(['eve'])
  })

  test('the own account, which cannot be selected, is skipped', async () => {
    const { actor } = await enterRows()
    await actor.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(screen.getByRole('link', { name: 'Root' })).toHaveFocus()
    await actor.keyboard('x ')
    await noBar()
    await actor.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}')
    expect(selected()).toEqual(['ben', 'eve'])
  })

  test('arrows move between the boxes, too', async () => {
    const { actor } = await open('/users?sort=email')
    ;(await box('ada@example.com')).focus()
    await actor.keyboard('{ArrowDown}x')
    expect(await box('ben@example.com')).toHaveFocus()
    expect(selected()).toEqual(['ben'])
  })

  test('WCAG 2.4.3: Tab leads through the rows in their order, and . to the actions of the bar', async () => {
    const { actor } = await enterRows()
    const inOrder = async () => {
      ;(await screen.findByRole('searchbox')).focus()
      const stops: (string | null)[] = []
      while (stops.at(-1) !== 'All on this page') {
        await actor.tab()
        const { id, ariaLabel, textContent } = document.activeElement as HTMLElement
        stops.push(document.querySelector(`label[for="${id}"]`)?.textContent || (ariaLabel ?? textContent))
        expect(stops.length).toBeLessThan(50)
      }
      return stops
    }
    await actor.keyboard('x')
    const region = await bar()
    const stops = await inOrder()
    const names = ['ada', 'ben', 'eve'].flatMap((name) => [
      `Select ${name}@example.com`,
      `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      `Actions for ${name}@example.com`,
    ])
    expect(stops.filter((stop) => names.includes(stop ?? ''))).toEqual(names)
    expect(stops.indexOf('Skip to the selected users')).toBeLessThan(stops.indexOf(names[0] ?? ''))
    screen.getByRole('link', { name: 'Ben' }).focus()
    await actor.keyboard('.')
    expect(within(region).getByRole('button', { name: 'Activate' })).toHaveFocus()
    await actor.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Activate 1 user' })
    await actor.keyboard('.')
    expect(dialog).toContainElement(document.activeElement as HTMLElement)
  })

  test('a link before the rows leads to the actions, and Escape there to the heading', async () => {
    const { actor, router } = await enterRows()
    expect(screen.queryByRole('link', { name: /^Skip to the selected/ })).not.toBeInTheDocument()
    await actor.keyboard('x')
    const region = await bar()
    screen.getByRole('link', { name: 'Skip to the selected users' }).focus()
    await actor.keyboard('{Enter}')
    expect(within(region).getByRole('button', { name: 'Activate' })).toHaveFocus()
    expect(router.state.location.hash).toBe('')
    await actor.keyboard('{Escape}')
    await noBar()
    expect(screen.getByRole('heading', { name: 'Users', level: 1 })).toHaveFocus()
  })

  test('in the search box, these keys type text', async () => {
    const { actor } = await enterRows()
    await actor.keyboard('x')
    const search = screen.getByRole('searchbox')
    await actor.type(search, 'x.')
    expect(search).toHaveValue('x.')
    expect(search).toHaveFocus()
  })
})

describe('on a phone', () => {
  test('a long press selects a row and opens nothing; a finger that moves scrolls', async () => {
    setScreenWidth(390)
    const { actor, router } = await open('/users?sort=email')
    const pause = () => act(() => new Promise((resolve) => setTimeout(resolve, 600)))
    const touch = { pointerType: 'touch', clientX: 50, clientY: 50 }
    const ada = await screen.findByText('ada@example.com')
    fireEvent.pointerDown(ada, touch)
    fireEvent.pointerMove(ada, { ...touch, clientY: 80 })
    await pause()
    expect(screen.queryByRole('region', { name: /^Selected/ })).not.toBeInTheDocument()
    const ben = screen.getByRole('link', { name: 'Ben' })
    await actor.pointer({ keys: '[TouchA>]', target: ben })
    await pause()
    await actor.pointer({ keys: '[/TouchA]', target: ben })
    expect(selected()).toEqual(['ben'])
    expect(router.state.location.pathname).toBe('/users')
    await actor.click(screen.getByText('eve@example.com'))
    expect(selected()).toEqual(['ben', 'eve'])
  })

  test('a tap on a row opens it, and selects it while something is selected', async () => {
    setScreenWidth(390)
    const { actor, router } = await open('/users?sort=email')
    await actor.click(screen.getByRole('button', { name: 'More actions' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Select' }))
    await actor.click(screen.getByRole('link', { name: 'Ada' }))
    await actor.click(screen.getByText('ben@example.com'))
    expect(selected()).toEqual(['ada', 'ben'])
    await actor.click(screen.getByRole('link', { name: 'Ada' }))
    await actor.click(await box('eve@example.com'))
    expect(selected()).toEqual(['ben', 'eve'])
    expect(router.state.location.pathname).toBe('/users')
    await actor.click(screen.getByRole('button', { name: 'Actions for ben@example.com' }))
    expect(await screen.findByRole('menuitem', { name: 'Edit' })).toBeVisible()
    await actor.keyboard('{Escape}')
    await actor.click(within(await bar()).getByRole('button', { name: 'Clear' }))
    await noBar()
    await actor.click(screen.getByRole('link', { name: 'Ada' }))
    expect(await screen.findByRole('heading', { name: 'Ada', level: 1 })).toBeVisible()
  })
})

test.each([...anyResource.map(({ table }) => `/${table}`), '/users'])(
  '%s without a match offers no selection',
  async (url) => {
    setScreenWidth(390)
    const { actor } = await open(url)
    const entries = async () => {
      await actor.click(screen.getByRole('button', { name: 'More actions' }))
      const found = await screen.findAllByRole('menuitem')
      return found.map((entry) => entry.textContent)
    }
    expect(await entries()).toContain('Select')
    await actor.keyboard('{Escape}')
    await actor.type(screen.getByRole('searchbox'), 'no such thing{Enter}')
    await screen.findByRole('heading', { name: /^No .* found$/ })
    expect(await entries()).not.toContain('Select')
  },
)

test('on a wide screen, a press on a row opens it also while something is selected', async () => {
  const { actor } = await open('/users')
  await actor.click(await box('ben@example.com'))
  await actor.click(screen.getByRole('link', { name: 'Ada' }))
  expect(await screen.findByRole('heading', { name: 'Ada', level: 1 })).toBeVisible()
})

describe('the selection', () => {
  test('survives a look at a row or another list, but not other filters', async () => {
    const { actor, router } = await open('/users')
    await actor.click(await box('ben@example.com'))
    await actor.click(screen.getByRole('link', { name: 'Ada' }))
    await screen.findByRole('heading', { name: 'Ada', level: 1 })
    act(() => router.history.back())
    expect(await bar()).toHaveTextContent('1 selected.')
    expect(selected()).toEqual(['ben'])
    await act(() => router.navigate({ to: '/audit' }))
    await noBar()
    await act(() => router.navigate({ to: '/users' }))
    expect(await bar()).toHaveTextContent('1 selected.')
    await act(() => router.navigate({ to: '/users', search: { role: 'user' } }))
    await noBar()
    act(() => router.history.back())
    await waitFor(() => expect(router.state.location.href).toBe('/users'))
    await noBar()
  })

  test('loses a user who is deleted on their page', async () => {
    const { actor, router } = await open('/users')
    await actor.click(await box('ada@example.com'))
    await actor.click(await box('ben@example.com'))
    await actor.click(screen.getByRole('link', { name: 'Ada' }))
    await screen.findByRole('heading', { name: 'Ada', level: 1 })
    await act(() => router.navigate({ to: '.', search: { delete: users[0]?.id ?? '' } }))
    const dialog = await screen.findByRole('dialog')
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await bar()).toHaveTextContent('1 selected.')
    expect(selected()).toEqual(['ben'])
  })

  test('ends with the session, also for the same user', async () => {
    const { actor, router, backend } = await open('/users')
    await actor.click(await box('ben@example.com'))
    await bar()
    act(logOut)
    await screen.findByRole('heading', { name: 'Login to your account' })
    await actor.type(screen.getByLabelText(/^Email/), root.email)
    await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
    await screen.findByRole('heading', { name: /^Hi, / })
    await act(() => router.navigate({ to: '/users' }))
    await screen.findByRole('table')
    expect(await box('ben@example.com')).not.toBeChecked()
    await noBar()
  })
})

test('on Back, the row has the focus, not the bar of actions', async () => {
  const { actor, router } = await open('/users')
  await actor.click(await box('ben@example.com'))
  await actor.click(screen.getByRole('link', { name: 'Ada' }))
  await screen.findByRole('heading', { name: 'Ada', level: 1 })
  act(() => router.history.back())
  await bar()
  await waitFor(() => expect(screen.getByRole('link', { name: 'Ada' })).toHaveFocus())
})

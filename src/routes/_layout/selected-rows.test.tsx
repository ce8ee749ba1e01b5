import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, manyItems, refusal } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { renderApp } from '../../../tests/support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

const box = (name: string) => screen.findByRole('checkbox', { name })
const pageBox = () => box('Select all on this page')
const bar = () => screen.findByRole('region', { name: /^Selected/ })

async function openItems(count: number, url = '/items') {
  const app = await renderApp({ url, user: root, prepare: (backend) => backend.items.push(...manyItems(count)) })
  await screen.findByRole('table')
  return app
}

/** Holds the next response of a list. */
function holdList(path: string) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  network.use(http.get(path, () => held, { once: true }))
  return release
}

describe('while other rows load', () => {
  test.each([
    ['a search', { q: 'Item 59' }, '1–1 of 1 item', 1],
    ['the next page', { page: 2 }, '51–60 of 60 items', 10],
  ])('the old ones cannot be selected: %s', async (_, search, status, count) => {
    const { actor, router } = await openItems(60)
    const release = holdList('*/items/')
    await act(() => router.navigate({ to: '/items', search }))
    const heading = await pageBox()
    expect(heading).toBeDisabled()
    await actor.click(heading)
    expect(screen.queryByRole('region', { name: /^Selected/ })).not.toBeInTheDocument()
    release()
    await screen.findByText(status)
    expect(heading).toBeEnabled()
    expect(heading).not.toBeChecked()
    await actor.click(heading)
    expect(await bar()).toHaveTextContent(`${count} selected.`)
  })

  test('those of other pages stay selected, and Select all adds none', async () => {
    const { actor } = await openItems(60)
    await actor.click(await pageBox())
    const all = within(await bar()).getByRole('checkbox', { name: 'Select all' })
    const release = holdList('*/items/')
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await waitFor(() => expect(all).toBeDisabled())
    expect(await bar()).toHaveTextContent('50 selected.')
    release()
    await screen.findByText('51–60 of 60 items')
    expect(all).toBeEnabled()
    expect(await bar()).toHaveTextContent('50 selected.')
    expect(requestsTo('GET /items/')).toHaveLength(2)
  })
})

describe('after a failure that may have changed rows', () => {
  const answers: [string, () => Response][] = [
    ['without a response', () => HttpResponse.error()],
    ['503', () => refusal(503, 'Only 2 of 3 items were processed, please try again for the rest')],
    ['429', () => refusal(429, 'Too many requests')],
  ]

  test.each(answers)('the list is read again: %s', async (_, answer) => {
    const { actor, backend } = await openItems(3)
    await actor.click(await pageBox())
    await actor.click(within(await bar()).getByRole('button', { name: 'Delete' }))
    network.use(
      http.post(
        '*/items/bulk',
        () => {
          backend.items = backend.items.slice(0, 1)
          return answer()
        },
        { once: true },
      ),
    )
    await actor.click(await screen.findByRole('button', { name: 'Delete 3 items' }))
    await screen.findByText('1–1 of 1 item')
  })
})

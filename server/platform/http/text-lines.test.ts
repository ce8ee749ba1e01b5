import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createLogOutput } from './log-output.ts'
import { logOptions } from './logger.ts'

function build() {
  let text = ''
  const output = createLogOutput((bytes) => {
    text += bytes.toString()
    return bytes.length
  })
  const app = Fastify({ ...logOptions({ level: 'info', format: 'text', output }), genReqId: () => 'a1-b2' })
  app.get('/api/v1/notes/', async () => ({}))
  return { app, lines: () => text.replaceAll(/^\d\d:\d\d:\d\d /gm, 'TIME ').split('\n') }
}

test('a request is one line for people', async () => {
  const { app, lines } = build()
  await app.inject({ url: '/api/v1/notes/?q=x' })
  expect(lines()).toEqual([
    expect.stringMatching(/^TIME info GET \/api\/v1\/notes\/ 200 \d+ ms reqId="a1-b2" ip="127.0.0.1"$/),
    '',
  ])
})

test('other lines have their facts, and the stack of an error below', () => {
  const { app, lines } = build()
  app.log.warn({ mail: 7, name: 'a\nb' }, 'mail not sent')
  app.log.error({ err: new TypeError('x\u001b[2J is\n12:00:00 info') }, 'request failed')
  expect(lines().slice(0, 5)).toEqual([
    'TIME warn mail not sent mail=7 name="a\\nb"',
    'TIME error request failed',
    '    TypeError: x?[2J is',
    '    12:00:00 info',
    expect.stringContaining('text-lines.test.ts'),
  ])
})

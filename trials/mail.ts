// npm run trial:mail -- --people 20 --seconds 12
// Makes the mail server fail in several ways during password recovery requests, and checks what arrives afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { removeData, type RunningServer, startServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { addressOf, ask, TRUST_US } from '../tests/support/http.ts'
import { withStore } from './support/ledger.ts'
import { type MailFault, MailServer } from './support/mail-server.ts'
import { Report, spread } from './support/report.ts'

const { people, seconds } = readNumbers({ people: 20, seconds: 12 })
/** Half of the timeout for the mail server, so that a request below this cannot have waited for it. */
const ANSWER_WITHIN_MS = 5_000
const ARRIVES_WITHIN_MS = 60_000
/** Unknown addresses to request recovery for. */
const STRANGERS = 200

const faults: MailFault[] = [
  'refuses connections',
  'does not respond',
  '421 greeting',
  '451 recipient',
  '452 content',
  '550',
  'cut',
]

async function signUp({ url }: RunningServer): Promise<string[]> {
  // A mail server that rejects some recipients rejects those with "bad".
  const addresses = Array.from({ length: people }, (_, index) => `${index % 2 ? 'bad' : 'good'}${index}@example.com`)
  for (const [index, email] of addresses.entries()) {
    const json = { email, password: 'correct horse', full_name: 'Ada Lovelace' }
    const { status } = await ask('POST', `${url}/api/v1/users/signup`, { json, from: addressOf(index) })
    if (status !== 200) throw new Error(`Sign-up failed: ${status}`)
  }
  return addresses
}

/** Requests a mail to each address, ten at a time. @returns the response times, and each status other than 200 */
async function askForMails({ url }: RunningServer, addresses: string[]): Promise<{ times: number[]; wrong: string[] }> {
  const times: number[] = []
  const wrong: string[] = []
  const waiting = [...addresses.entries()]
  async function askOne(): Promise<void> {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [index, address] = next
      const { status, ms } = await ask('POST', `${url}/api/v1/password-recovery/${address}`, { from: addressOf(index) })
      times.push(ms)
      if (status !== 200) wrong.push(`${status}`)
    }
  }
  await Promise.all(Array.from({ length: 10 }, askOne))
  return { times, wrong }
}

async function tryFault(fault: MailFault, report: Report): Promise<void> {
  const mailServer = new MailServer()
  await mailServer.listen()
  // Sign-ups would be mailed links, too.
  const settings = { ...TRUST_US, SMTP_URL: mailServer.url, CONFIRM_EMAIL: 'off', LOG_LEVEL: 'fatal' }
  const server = await startServer(undefined, settings)
  try {
    const addresses = await signUp(server)
    const strangers = Array.from({ length: STRANGERS }, (_, index) => `stranger${index}@example.org`)
    await mailServer.fail(fault)
    const { times, wrong } = await askForMails(server, [...strangers, ...addresses])
    await sleep(seconds * 1000)
    // 550 is permanent, so this fault stays.
    if (fault !== '550') await mailServer.mend()

    const expected = addresses.filter((address) => fault !== '550' || !address.startsWith('bad'))
    const begun = performance.now()
    const missing = (): string[] => expected.filter((to) => !mailServer.received.some((mail) => mail.to === to))
    const isOutboxEmpty = () =>
      withStore(server.dataDir, async ({ db }) => !(await db.selectFrom('outbox').select('id').executeTakeFirst()))
    while (performance.now() - begun < ARRIVES_WITHIN_MS && (missing().length > 0 || !(await isOutboxEmpty()))) {
      await sleep(250)
    }
    const arrival = performance.now() - begun
    const counts = addresses.map((to) => mailServer.received.filter((mail) => mail.to === to).length)

    report.figure(`${fault}, for`, `${seconds} s`)
    report.figure('  response times of recovery requests', spread(times))
    report.figure('  all mails delivered after the repair within', `${Math.round(arrival)} ms`)
    report.figure('  mails, and duplicates', `${mailServer.received.length}, ${counts.filter((n) => n === 2).length}`)
    const slow = times.filter((ms) => ms > ANSWER_WITHIN_MS).map((ms) => `${Math.round(ms)} ms`)
    report.promise('  each response is 200 and does not wait for the mail server', [...wrong, ...slow])
    report.promise('  no mail is lost', missing())
    const most = fault === 'cut' ? 2 : 1
    report.promise(
      `  no mail is delivered more than ${most === 1 ? 'once' : 'twice'}`,
      counts.filter((n) => n > most).map((n) => `${n} times`),
    )
    report.promise('  the outbox is empty', (await isOutboxEmpty()) ? [] : ['it is not'])
    report.promise('  the newest link of each person works', await tryLinks(server, expected, mailServer))
  } finally {
    await server.stop()
    await mailServer.close()
    removeData(server.dataDir)
  }
}

async function tryLinks({ url }: RunningServer, addresses: string[], { received }: MailServer): Promise<string[]> {
  const broken: string[] = []
  for (const address of addresses) {
    const { text = '' } = await PostalMime.parse(received.findLast(({ to }) => to === address)?.raw ?? '')
    const token = /\/reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? ''
    const json = { token, new_password: 'another good password' }
    const { status } = await ask('POST', `${url}/api/v1/reset-password/`, { json })
    if (status !== 200) broken.push(`${address}: ${status}`)
  }
  return broken
}

const report = new Report('Mail server failures')
for (const fault of faults) await tryFault(fault, report)
report.print()

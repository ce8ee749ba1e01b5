import { parseArgs } from 'node:util'
import type { Config } from '../lib/config.ts'
import type { Operator } from '../domain/operator.ts'
import type { Passwords } from '../domain/passwords.ts'
import type { Store } from '../store/store.ts'
import { addDemoData, type DemoSize } from './demo/add-demo-data.ts'
import { ensureFirstSuperuser } from './first-superuser.ts'
import type { Progress, Terminal } from './terminal.ts'

const MAX_ROWS = 10_000_000

const usage = `Usage: npm run seed -- [--users N] [--items N] [--owners N]
  Adds demo accounts and items to the database that the settings name: 120 and 400, unless other numbers are given.
  --owners: how many of the users share the items; all of them by default. The first has the most.
  What is there stays as it is. The same numbers give the same data; only the accounts' password is a new one.`

/** Adds demo data. @returns the exit code */
export async function runSeedCommand(
  args: string[],
  { operator, passwords, store, config }: { operator: Operator; passwords: Passwords; store: Store; config: Config },
  terminal: Pick<Terminal, 'say' | 'complain'> & { progress: Progress },
): Promise<number> {
  const size = readSize(args)
  if (!size) {
    terminal.complain(usage)
    return 2
  }
  // First of all: a server that finds accounts makes no superuser any more.
  await ensureFirstSuperuser(operator, config.firstSuperuser, (line) => terminal.say(line))
  const { addedUsers, addedItems, examples, password } = await addDemoData(
    { store, passwords },
    size,
    terminal.progress,
  )
  terminal.say(`${addedUsers} users and ${addedItems} items added`)
  if (addedUsers < size.users) terminal.say(`${size.users - addedUsers} users were there already, or their address was`)
  if (addedUsers > 0) {
    terminal.say(`The password of the added users is ${password} (shown only this once)`)
    if (addedUsers === size.users) terminal.say(`Log in as ${examples.join(' or ')}, say; inactive accounts cannot`)
    terminal.say('Before strangers reach this server, delete them or set other passwords')
  }
  return 0
}

function readSize(args: string[]): DemoSize | undefined {
  const number = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args, options: { users: number, items: number, owners: number } })
    const users = toCount(values.users ?? '120')
    const items = toCount(values.items ?? '400')
    const owners = values.owners === undefined ? users : toCount(values.owners)
    return owners > users || (items > 0 && owners === 0) ? undefined : { users, items, owners }
  } catch {
    return undefined
  }
}

function toCount(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : Infinity
  if (count > MAX_ROWS) throw new RangeError('Not a number of rows')
  return count
}

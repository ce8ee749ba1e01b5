import { parseArgs } from 'node:util'
import type { Context } from '../../server/platform/context.ts'
import type { ResourceTable } from '../../server/tables.ts'
import { addDemoData, type DemoSize } from './add-demo-data.ts'
import { demoRows } from './demo-rows.ts'
import { addFirstSuperuser } from '../../server/cli/first-superuser.ts'
import { WrongUsage } from '../../server/cli/explain-failure.ts'
import type { Terminal } from '../../server/cli/terminal.ts'
import type { Progress } from './progress.ts'

const MAX_ROWS = 10_000_000

const tables = Object.keys(demoRows) as ResourceTable[]

const usage = `Usage: npm run seed -- [--users N] ${tables.map((table) => `[--${table} N]`).join(' ')} [--owners N]
  Adds demo accounts and what they have to the database that the settings name: 120 accounts, and 400 rows of each
  kind where no number is given for any.
  --owners: how many of the users share the rows; all of them by default. The first has the most.
  What is there stays as it is. The same numbers give the same data, up to the accounts' password and the times, which
  end now.`

export async function runSeedCommand(
  args: string[],
  context: Context,
  terminal: Pick<Terminal, 'say'> & { progress: Progress },
): Promise<void> {
  const size = readSize(args)
  if (!size) throw new WrongUsage(usage)
  // Comes first, because it needs an empty database.
  await addFirstSuperuser(context, (line) => terminal.say(line))
  const { addedUsers, added, examples, password } = await addDemoData(context, size, terminal.progress)
  const counts = [`${addedUsers} users`, ...Array.from(added, ([table, count]) => `${count} ${table}`)]
  terminal.say(`${new Intl.ListFormat('en').format(counts)} added`)
  if (addedUsers < size.users) terminal.say(`${size.users - addedUsers} users were there already, or their address was`)
  if (addedUsers > 0) {
    terminal.say(`The password of the added users is ${password} (shown only this once)`)
    if (addedUsers === size.users) terminal.say(`Log in as ${examples.join(' or ')} (inactive users cannot log in)`)
    terminal.say('Delete these users or set other passwords before you publish this server')
  }
}

function readSize(args: string[]): DemoSize | undefined {
  const number = { type: 'string' } as const
  try {
    const options = Object.fromEntries(['users', ...tables, 'owners'].map((name) => [name, number]))
    const values: Partial<Record<string, string>> = parseArgs({ args, options }).values
    const users = toCount(values.users ?? '120')
    const others = tables.some((table) => values[table] !== undefined) ? '0' : '400'
    const rows = Object.fromEntries(
      tables.map((table) => [table, toCount(values[table] ?? others)]),
    ) as DemoSize['rows']
    const owners = values.owners === undefined ? users : toCount(values.owners)
    const hasRows = Object.values<number>(rows).some((count) => count > 0)
    return owners > users || (hasRows && owners === 0) ? undefined : { users, rows, owners }
  } catch {
    return undefined
  }
}

function toCount(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : Infinity
  if (count > MAX_ROWS) throw new RangeError('Not a number of rows')
  return count
}

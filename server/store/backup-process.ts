// node backup-process.ts '[DATABASE, PLAN, NOW]': makes a backup where one is due, beside a server, which copying and checking
// would hold up. The file's name comes on the standard output; a failure is one line on the standard error.
import { makeBackupIfDue } from './backup-folder.ts'

try {
  const made = await makeBackupIfDue(...(JSON.parse(process.argv[2] ?? '') as Parameters<typeof makeBackupIfDue>))
  process.stdout.write(made ?? '')
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

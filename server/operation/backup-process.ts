// node backup-process.ts '[DATABASE, PLAN, NOW]' makes a backup if one is due, because copying would block the server.
// Prints the `MadeBackup`, if any, or the error to the standard error.
import { makeBackupIfDue } from './backup-folder.ts'

try {
  const made = await makeBackupIfDue(...(JSON.parse(process.argv[2] ?? '') as Parameters<typeof makeBackupIfDue>))
  process.stdout.write(made ? JSON.stringify(made) : '')
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

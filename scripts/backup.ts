// npm run backup -- FILE: a copy of the database that the settings name.
import { runBackupCommand } from '../server/backup.ts'
import { readConfig } from '../server/config.ts'
import { explainFailure } from '../server/explain-failure.ts'
import { loadEnv } from './load-env.ts'

const say = (line: string): void => console.log(line)

try {
  loadEnv()
  process.exitCode = runBackupCommand(process.argv.slice(2), readConfig(process.env), say)
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

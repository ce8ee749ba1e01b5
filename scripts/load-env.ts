// npm scripts preload this file. Variables of the environment take precedence over `.env`.
import { existsSync } from 'node:fs'
import { readEnvFile, UnreadableFile } from '../server/platform/env-file.ts'

try {
  if (existsSync('.env')) for (const [name, value] of readEnvFile('.env')) process.env[name] ??= value
} catch (error) {
  if (!(error instanceof UnreadableFile)) throw error
  console.error(error.message)
  process.exit(1)
}

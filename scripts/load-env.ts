// npm scripts load this first. The environment wins over the file.
import { existsSync } from 'node:fs'
import { readEnvFile, UnreadableFile } from '../server/platform/env-file.ts'

try {
  if (existsSync('.env')) for (const [name, value] of readEnvFile('.env')) process.env[name] ??= value
} catch (error) {
  if (!(error instanceof UnreadableFile)) throw error
  console.error(error.message)
  process.exit(1)
}

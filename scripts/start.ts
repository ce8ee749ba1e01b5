import { existsSync } from 'node:fs'
import { buildSpaIfStale } from './build-spa.ts'

if (existsSync('.env')) process.loadEnvFile('.env')
buildSpaIfStale()
// In this process, so that signals reach the server itself.
await import('../server/main.ts')

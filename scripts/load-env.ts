import { existsSync } from 'node:fs'

/** Takes settings from `.env` where there is one; what the environment says already stays. */
export function loadEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadEnv } from 'vite'

const stampFile = 'node_modules/.cache/steward/spa-inputs.sha256'
const inputs = [
  'index.html',
  'package-lock.json',
  'vite.config.ts',
  'scripts/compress.ts',
  'scripts/spa-html.ts',
  'tsconfig.json',
  'src/**/*',
  'public/**/*',
]

/** Builds the SPA into dist/ unless its files and settings are unchanged. @throws Error if the build fails */
export function buildSpaIfStale(): void {
  const stamp = digestInputs()
  const fresh = existsSync('dist/index.html') && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (fresh) return
  console.log('Building the web application …')
  rmSync(stampFile, { force: true })
  const vite = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    stdio: 'inherit',
    // Tests set another NODE_ENV.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (vite.status !== 0) throw new Error('The web application could not be built')
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

/** Hashes contents instead of times, so that a fresh checkout counts as unchanged. @param envDir of the `.env` files */
export function digestInputs(envDir = process.cwd()): string {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((pattern) => globSync(pattern)).toSorted()) {
    if (statSync(file).isFile()) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  }
  // Vite reads these settings from `.env` files and the environment.
  const settings = loadEnv('production', envDir)
  for (const name of Object.keys(settings).toSorted()) hash.update(`${name}=${settings[name]}\0`)
  return hash.digest('hex')
}

if (import.meta.main) buildSpaIfStale()

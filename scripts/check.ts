import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { resolveConfig } from 'vite'

/** The checks of `npm run check`, in order, by the name that is printed. */
const checks: Record<string, () => boolean | Promise<boolean>> = {
  format: () => run('oxfmt', '--check', '.'),
  lint: () => run('oxlint', '--type-aware'),
  'types of the SPA, the tests, the scripts, the benchmarks and the trials': () => run('tsc', '-p', '.'),
  'types of the server': () => run('tsc', '-p', 'server'),
  architecture: () =>
    run(
      'depcruise',
      '--config',
      'dependency-cruiser.config.mjs',
      'src',
      'server',
      'scripts',
      'bench',
      'tests',
      'trials',
    ),
  'unused files, exports and dependencies': () => run('knip'),
  'generated code': isGeneratedCodeCurrent,
}

/** @returns how many checks passed and failed */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const totals = { passed: 0, failed: 0 }
  for (const [name, check] of Object.entries(checks)) {
    const ok = await check()
    totals[ok ? 'passed' : 'failed'] += 1
    console.log(`${ok ? '✓' : '✗'} ${name}`)
  }
  return totals
}

/** Runs a tool of node_modules, and prints its output only if it fails. */
function run(tool: string, ...args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) console.log(`${stdout}${stderr}`)
  return status === 0
}

async function isGeneratedCodeCurrent(): Promise<boolean> {
  const before = readGeneratedCode()
  const generated = run('openapi-ts')
  // The router's plug-in writes the route tree when Vite's configuration is resolved.
  const { NODE_ENV } = process.env
  await resolveConfig({ logLevel: 'error' }, 'build')
  // `resolveConfig` sets NODE_ENV, which must not affect what runs later in this process.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  const after = readGeneratedCode()
  const stale = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
  if (stale.length > 0) console.log(`Generated code was out of date:\n${stale.join('\n')}`)
  return generated && stale.length === 0
}

function readGeneratedCode(): Map<string, string> {
  const files = ['src/client/**/*', 'server/contract/**/*', 'src/route-tree.gen.ts'].flatMap((pattern) =>
    globSync(pattern),
  )
  return new Map(files.filter((file) => statSync(file).isFile()).map((file) => [file, readFileSync(file, 'utf8')]))
}

if (import.meta.main) process.exitCode = (await runChecks()).failed > 0 ? 1 : 0

import { globSync, readFileSync, statSync } from 'node:fs'
import { generateCode, generatedPaths, runTool, SETTINGS_PAGE } from './generate.ts'

/** The checks of `npm run check`, slowest first. */
const checks: Record<string, () => Promise<boolean>> = {
  lint: () => runTool('oxlint/bin/oxlint', '--type-aware'),
  'types of the SPA, the tests, the scripts, the benchmarks and the trials': () =>
    runTool('typescript/bin/tsc', '-p', '.'),
  'types of the server': () => runTool('typescript/bin/tsc', '-p', 'server'),
  architecture: () =>
    runTool(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      'dependency-cruiser.config.mjs',
      'src',
      'server',
      'scripts',
      'bench',
      'tests',
      'trials',
    ),
  'unused files, exports and dependencies': () => runTool('knip/bin/knip.js'),
  format: () => runTool('oxfmt/bin/oxfmt', '--check', '.'),
}

const AT_ONCE = 2

export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const totals = { passed: 0, failed: 0 }
  const left = Object.entries(checks)
  async function runNext(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, check] = next
      const ok = await check()
      totals[ok ? 'passed' : 'failed'] += 1
      console.log(`${ok ? '✓' : '✗'} ${name}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
  const current = await isGeneratedCodeCurrent()
  totals[current ? 'passed' : 'failed'] += 1
  console.log(`${current ? '✓' : '✗'} generated code`)
  return totals
}

async function isGeneratedCodeCurrent(): Promise<boolean> {
  const before = readGeneratedCode()
  const isGenerated = await generateCode()
  const after = readGeneratedCode()
  const stale = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
  if (stale.length > 0) console.log(`Generated code was out of date:\n${stale.join('\n')}`)
  return isGenerated && stale.length === 0
}

function readGeneratedCode(): Map<string, string> {
  const files = globSync([SETTINGS_PAGE, ...generatedPaths.flatMap((path) => [path, `${path}/**/*`])])
  return new Map(files.filter((file) => statSync(file).isFile()).map((file) => [file, readFileSync(file, 'utf8')]))
}

if (import.meta.main) process.exitCode = (await runChecks()).failed > 0 ? 1 : 0

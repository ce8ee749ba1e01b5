import { globSync, readFileSync, statSync } from 'node:fs'
import { generateCode, generatedPaths, runTool } from './generate.ts'

/** The checks of `npm run check`, in order, by the name that is printed. */
const checks: Record<string, () => boolean | Promise<boolean>> = {
  format: () => runTool('oxfmt', '--check', '.'),
  lint: () => runTool('oxlint', '--type-aware'),
  'types of the SPA, the tests, the scripts, the benchmarks and the trials': () => runTool('tsc', '-p', '.'),
  'types of the server': () => runTool('tsc', '-p', 'server'),
  architecture: () =>
    runTool(
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
  'unused files, exports and dependencies': () => runTool('knip'),
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

async function isGeneratedCodeCurrent(): Promise<boolean> {
  const before = readGeneratedCode()
  const isGenerated = await generateCode()
  const after = readGeneratedCode()
  const stale = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
  if (stale.length > 0) console.log(`Generated code was out of date:\n${stale.join('\n')}`)
  return isGenerated && stale.length === 0
}

function readGeneratedCode(): Map<string, string> {
  const files = globSync(generatedPaths.flatMap((path) => [path, `${path}/**/*`]))
  return new Map(files.filter((file) => statSync(file).isFile()).map((file) => [file, readFileSync(file, 'utf8')]))
}

if (import.meta.main) process.exitCode = (await runChecks()).failed > 0 ? 1 : 0

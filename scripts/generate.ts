import { execFile } from 'node:child_process'
import { resolveConfig } from 'vite'
import { writeAnswers } from './answers.ts'
import { writeSettings } from './settings.ts'

export const SETTINGS_PAGE = 'docs/settings.md'
export const generatedPaths = ['src/client', 'server/contract', 'src/route-tree.gen.ts']

/** Runs a program of node_modules, and prints its output only if it fails. @returns whether it succeeded */
export function runTool(program: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    // The links in `.bin` are shell scripts on Windows.
    const run = [`node_modules/${program}`, ...args]
    execFile(process.execPath, run, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) console.log(`${stdout}${stderr}`)
      resolve(error === null)
    })
  })
}

export async function generateCode(): Promise<boolean> {
  const isGenerated = await runTool('@hey-api/openapi-ts/bin/run.js')
  writeAnswers('src/client/answers.gen.ts')
  writeSettings(SETTINGS_PAGE)
  const isFormatted = await runTool('oxfmt/bin/oxfmt', SETTINGS_PAGE)
  const { NODE_ENV } = process.env
  // The router's plug-in writes the route tree when Vite's configuration is resolved.
  await resolveConfig({ logLevel: 'error' }, 'build')
  // `resolveConfig` sets NODE_ENV, which would affect later code in this process.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  return isGenerated && isFormatted
}

if (import.meta.main) process.exitCode = (await generateCode()) ? 0 : 1

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { copyWorkTree } from './copy-work-tree.ts'
import { tryServer } from './try-start.ts'

// Runs the steps of the Dockerfile in folders, because test machines lack a container engine.

/** A stage of the Dockerfile. One of its steps may be `['RUN', 'npm run build']`. */
interface Stage {
  name: string
  steps: [instruction: string, rest: string][]
}

const MAX_PACKAGES_MB = 120

export async function tryImage(): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-image-'))
  try {
    const context = join(folder, 'context')
    copyWorkTree(context)
    const stages = readStages()
    let settings: Record<string, string> = {}
    for (const stage of stages) settings = run(stage, folder, context)
    const image = stages.at(-1)
    if (image?.name !== 'image') throw new Error('The last stage of the Dockerfile should have no name')
    checkPackages(join(folder, 'image/app/node_modules'))
    checkSeed(join(folder, 'build/app'))
    await start(image, folder, settings)
    return { passed: 1, failed: 0 }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readStages(): Stage[] {
  const stages: Stage[] = []
  for (const line of readFileSync('Dockerfile', 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (instruction === 'FROM') stages.push({ name: / AS (\w+)$/.exec(rest)?.[1] ?? 'image', steps: [] })
    else if (instruction !== '') stages.at(-1)?.steps.push([instruction, rest])
  }
  return stages
}

function run({ name, steps }: Stage, folder: string, context: string): Record<string, string> {
  const root = join(folder, name)
  const settings: Record<string, string> = {}
  for (const [instruction, rest] of steps) {
    if (instruction === 'WORKDIR') mkdirSync(join(root, rest), { recursive: true })
    if (instruction === 'ENV')
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) settings[key] = value
    if (instruction === 'COPY') copy(rest.split(' '), { folder, root: join(root, 'app'), context })
    // Steps on /data create a user and folders at the root, which only a container can have.
    if (instruction === 'RUN' && !rest.includes('/data')) execute(rest, join(root, 'app'))
  }
  return settings
}

function copy(words: string[], places: { folder: string; root: string; context: string }): void {
  const [, stage] = /^--from=(\w+)$/.exec(words[0] ?? '') ?? []
  const files = stage === undefined ? words : words.slice(1)
  const to = files.pop() ?? ''
  for (const file of files) {
    const from = stage === undefined ? join(places.context, file) : join(places.folder, stage, file)
    const target = to.endsWith('/') ? join(places.root, to, file.split('/').pop() ?? '') : join(places.root, to)
    cpSync(from, target, { recursive: true, verbatimSymlinks: true })
  }
}

/** Programs find the Node of this process first. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)

function execute(command: string, cwd: string): void {
  console.log(`\n— ${command}`)
  const env = { ...process.env, PATH, npm_config_prefer_offline: 'true' }
  const { status } = spawnSync(command, { cwd, env, shell: true, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} failed`)
}

function checkPackages(folder: string): void {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  console.log(`The packages have ${Math.round(bytes / 1e6)} MB`)
  if (bytes > MAX_PACKAGES_MB * 1e6) throw new Error(`The packages should have at most ${MAX_PACKAGES_MB} MB`)
  const ofTheBuild = ['react', 'vite', 'tailwindcss', 'lucide-react'].filter((name) => existsSync(join(folder, name)))
  if (ofTheBuild.length > 0) throw new Error(`The image should not have ${ofTheBuild.join(', ')}`)
}

function checkSeed(cwd: string): void {
  const { status, stderr } = spawnSync('npm run seed', { cwd, env: { ...process.env, PATH }, shell: true })
  if (status !== 1 || !/^Demo data needs the development packages/m.test(stderr.toString()))
    throw new Error(`npm run seed should name what is missing, and said:\n${stderr.toString()}`)
}

async function start({ name, steps }: Stage, folder: string, settings: Record<string, string>): Promise<void> {
  const command = JSON.parse(steps.find(([step]) => step === 'CMD')?.[1] ?? '[]') as string[]
  console.log(`\n— ${command.join(' ')}`)
  await tryServer(command, { PATH, ...settings, DATA_DIR: join(folder, 'data') }, join(folder, name, 'app'))
}

if (import.meta.main) process.exitCode = (await tryImage()).failed > 0 ? 1 : 0

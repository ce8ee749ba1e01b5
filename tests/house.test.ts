import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, onTestFinished, test } from 'vitest'
import { summarize } from '../bench/support/figures.ts'
import { formerResources } from '../src/lib/resources.ts'
import { asvs } from './support/asvs.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  version: string
  engines: { node: string }
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
const documents = globSync(['*.md', 'docs/**/*.md', '.github/*.md'])

describe.each(documents)('%s', (document) => {
  const text = read(document)

  test('names only existing files', () => {
    const quoted = Array.from(text.matchAll(/`([\w./{},<>*-]+)`/g), ([, path = '']) => path)
    const paths = quoted.filter((path) =>
      /^\.?(src|server|tests|scripts|bench|trials|docs|public|data|dist)\/|^[\w.-]+\.(md|json|ts|tsx|mjs|html|css)$/.test(
        path,
      ),
    )
    const linked = Array.from(text.matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, path = '']) =>
      join(document, '..', path),
    )
    const missing = [...paths, ...linked].filter((path) => !isThere(path) && !isRemoved(path))
    expect(missing).toEqual([])
  })

  test('links only to existing headings', () => {
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g), ([, path = '', heading = '']) => ({
      file: path === '' ? document : join(document, '..', path),
      heading,
    }))
    expect(links.filter(({ file, heading }) => !headingsOf(file).includes(heading))).toEqual([])
  })

  test('names only existing commands', () => {
    const commands = Array.from(text.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name)
    expect(commands.filter((name) => !(name in manifest.scripts))).toEqual([])
  })
})

/** The anchors that GitHub gives to the headings of a document. */
function headingsOf(file: string): string[] {
  return Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Paths that the running application or the reader creates. A fresh checkout lacks them. */
const madeLater = /^(data|dist|node_modules)(\/|$)|\bloans?[-/]|[<>*{}]/

function isThere(path: string): boolean {
  return (
    madeLater.test(path) ||
    existsSync(path) ||
    globSync(`{src,server,tests,scripts,trials,bench}/**/${path}`).length > 0
  )
}

/** The command that removes a resource also removes its tests. */
function isRemoved(path: string): boolean {
  return formerResources.some(({ tag }) => path.includes(tag) || /\.(test|spec)\.tsx?$/.test(path))
}

test('docs/asvs.md has each requirement of both levels once, with correct counts', () => {
  const page = read('docs/asvs.md')
  const rows = Array.from(page.matchAll(/^- ([\d.,– ]+) \(([12])\) ([^:]*): .*\w/gm)).flatMap(
    ([, ranges = '', level, state = '']) =>
      ranges.split(', ').map((range) => {
        const [first = [], last = first] = range.split('–').map((number) => number.split('.').map(Number))
        return { first, last, level: Number(level), state }
      }),
  )
  const numbers = Object.entries(asvs).flatMap(([section, levels]) =>
    levels.flatMap((numbersOfLevel, index) =>
      numbersOfLevel.map((number) => ({ level: index + 1, path: [...section.split('.').map(Number), number] })),
    ),
  )
  const covered = numbers.map(({ level, path }) =>
    rows.filter((row) => row.level === level && compare(row.first, path) <= 0 && compare(path, row.last) <= 0),
  )
  expect(numbers).toHaveLength(253)
  expect(covered.filter((found) => found.length !== 1)).toEqual([])
  const counts = Array.from(page.matchAll(/^\| (?:met|not|the|dev)[^|]*\| (\d+) +\| (\d+) +\|$/gm), (m) =>
    m.slice(1).map(Number),
  )
  const states = ['met', 'not applicable', 'the installation’s', '**deviates**']
  expect(counts).toEqual(
    states.map((state) =>
      [1, 2].map((level) => covered.flat().filter((row) => row.state === state && row.level === level).length),
    ),
  )
})

test('docs/accessibility.md has each criterion of WCAG 2.2 A and AA once, with correct counts', () => {
  const page = read('docs/accessibility.md')
  const rows = Array.from(page.matchAll(/^- ([\d.,– ]+) \((AA?)\) ([^:]*): .*\w/gm)).flatMap(
    ([, ranges = '', ...rest]) =>
      ranges.split(', ').flatMap((range) => {
        const [, section, first, last = first] = /^(\d\.\d)\.(\d+)(?:–\d\.\d\.(\d+))?$/.exec(range) ?? []
        const length = Number(last) - Number(first) + 1
        return Array.from({ length }, (_, i) => [`${section}.${Number(first) + i}`, ...rest])
      }),
  )
  const counts = Array.from(page.matchAll(/^\| (?:met|not|dev)[^|]*\| (\d+) +\| (\d+) +\|$/gm), (m) =>
    m.slice(1).map(Number),
  )
  expect(rows).toHaveLength(55)
  expect(new Set(rows.map(([number]) => number)).size).toBe(55)
  expect(counts).toEqual(
    ['met', 'not applicable', '**deviates**'].map((state) =>
      ['A', 'AA'].map((level) => rows.filter(([, own, found]) => own === level && found === state).length),
    ),
  )
})

test('docs/performance.md has the results of bench/results/', () => {
  const unformatted = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-')
  expect(unformatted(read('docs/performance.md'))).toContain(unformatted(summarize()))
})

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((number, i) => number !== b[i])
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}

test('every dependency has one exact version', () => {
  const server = JSON.parse(read('server/package.json')) as typeof manifest
  const all = [manifest, server].flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  )
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const versions = Object.fromEntries(all)
  expect(all.filter(([name, version]) => versions[name] !== version)).toEqual([])
})

test('docs/dependencies.md has a reason for each dependency', () => {
  const server = JSON.parse(read('server/package.json')) as typeof manifest
  const names = [manifest, server].flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  )
  const lines = Array.from(read('docs/dependencies.md').matchAll(/^- (`[^:]+`): .*\w/gm), ([, packages = '']) =>
    Array.from(packages.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  )
  expect(lines.flat().toSorted()).toEqual([...new Set(names)].toSorted())
})

test('each decision has a date, a status and at most 250 words, and docs/decisions/README.md lists all', () => {
  const index = read('docs/decisions/README.md')
  const files = globSync('docs/decisions/[0-9]*.md').toSorted()
  const wrong = files.filter((file) => {
    const text = read(file)
    const [, number, title, status] = /^# (\d{4}) (.+)\n\n\d{4}-\d\d-\d\d · (.+)\n/.exec(text) ?? []
    const parts = ['**Context.**', '**Decision.**', '**Cost.**'].map((part) => text.indexOf(part))
    return (
      number === undefined ||
      !basename(file).startsWith(`${number}-`) ||
      !(status === 'kept' || status?.startsWith('replaced by ')) ||
      !index.includes(`- [${number}](${basename(file)}) ${title}\n`) ||
      parts.includes(-1) ||
      compare(
        parts,
        parts.toSorted((a, b) => a - b),
      ) !== 0 ||
      text.split(/\s+/).filter(Boolean).length > 250
    )
  })
  expect(wrong).toEqual([])
  const numbers = Array.from(index.matchAll(/^- \[?(\d{4})/gm), ([, number]) => Number(number))
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  expect(numbers.length).toBeGreaterThanOrEqual(files.length)
})

test('the lock file names no hosts and no packages with install scripts', () => {
  const lock = read('package-lock.json')
  expect(lock).not.toMatch(/https?:\/\/[^"]*\.tgz/)
  const { packages } = JSON.parse(lock) as { packages: Record<string, { hasInstallScript?: boolean }> }
  const scripted = Object.keys(packages).filter((name) => name !== '' && packages[name]?.hasInstallScript)
  expect(scripted.filter((name) => !name.endsWith('node_modules/fsevents'))).toEqual([])
})

// npm compiles packages with a binding.gyp, which needs Python, unless the lock file has `"gypfile": false`. npm drops
// this line when it writes the lock file, so add it again by hand.
test('the lock file prevents npm from compiling packages', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { gypfile?: boolean }> }
  const compilable = Object.keys(packages).filter((path) => path !== '' && existsSync(join(path, 'binding.gyp')))
  expect(compilable).toContain('node_modules/better-sqlite3')
  expect(compilable.filter((path) => packages[path]?.gypfile !== false)).toEqual([])
})

test('the lock file has the packages of every platform', () => {
  interface Locked {
    optionalDependencies?: Record<string, string>
  }
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
  const missing = wanted.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
  expect(missing).toEqual([])
})

test('scripts refuse an old Node in one sentence', () => {
  const pinned = read('.nvmrc').trim()
  const run = (version: string) => {
    const program = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./scripts/node.cjs')`
    const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
    return { output: stdout + stderr, status }
  }
  expect(run('20.20.2')).toEqual({
    output: `Node 20.20.2 is too old. Install Node ${pinned}, or run "npm run node", which installs it into node_modules.\n`,
    status: 1,
  })
  const isAccepted = (version: string) => run(version).status === 0
  expect(manifest.engines.node).toBe('^22.22.2 || ^24.15.0 || >=26.0.0')
  expect(['22.22.1', '23.11.0', '24.14.9', '25.0.0'].filter(isAccepted)).toEqual([])
  expect(['22.22.2', '22.23.0', '24.15.0', '26.0.0', '27.1.0', pinned].filter(isAccepted)).toHaveLength(6)
})

test('every npm script that runs Node refuses an old one', () => {
  // These install another version of Node, or check nothing.
  const others = new Set(['postinstall', 'node'])
  const commands = Object.entries(manifest.scripts).filter(
    ([name, command]) => !others.has(name) && !/^(npm|oxfmt) /.test(command),
  )
  expect(commands.filter(([, command]) => !command.startsWith('node -r ./scripts/node.cjs '))).toEqual([])
})

/** The modules that a file imports, except for types. */
function modulesOf(file: string): string[] {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) && !statement.importClause?.isTypeOnly
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly
    const name = isImport || isExport ? statement.moduleSpecifier : undefined
    return name && ts.isStringLiteral(name) ? [name.text] : []
  })
}

/** Vite and Playwright find modules without extensions, Node does not. */
test('Node finds what scripts, benchmarks and trials import', () => {
  const open = globSync('{scripts,bench,trials}/*.ts')
  const files = new Set(open)
  const missing: string[] = []
  for (let file = open.pop(); file !== undefined; file = open.pop())
    for (const name of modulesOf(file)) {
      const path = join(file, '..', name)
      if (!/^[.@]\.?\//.test(name) || files.has(path)) continue
      if (!existsSync(path)) missing.push(`${file}: ${name}`)
      if (!existsSync(path) || !path.endsWith('.ts')) continue
      files.add(path)
      open.push(path)
    }
  expect(files).toContain('tests/support/states.ts')
  expect(missing).toEqual([])
})

test('npm is silent about an old Node, for which scripts/node.cjs installs another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const old = { name: 'x', version: '1.0.0', engines: { node: '>=999' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(old))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...old, lockfileVersion: 3, packages: { '': old } }),
  )
  writeFileSync(join(folder, '.npmrc'), read('.npmrc'))
  const { stdout, stderr } = spawnSync('npm', ['ci', '--offline'], { cwd: folder, encoding: 'utf8', env: outerEnv() })
  expect(stderr).toBe('')
  expect(stdout).toContain('up to date')
})

/** Excludes the settings that npm passes to its scripts. */
function outerEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
}

test('docs/settings.md, .env.example and compose.yaml list the settings of server/platform/config.ts', () => {
  const settings = Array.from(read('server/platform/config.ts').matchAll(/^ {2}([A-Z_]+): /gm), ([, name = '']) => name)
  const documented = Array.from(read('docs/settings.md').matchAll(/^\| `([A-Z_]+)`/gm), ([, name = '']) => name)
  expect(settings.length).toBeGreaterThan(5)
  const ofTheClient = new Set(['VITE_API_URL', 'DEV_PORT'])
  expect(documented.filter((name) => !ofTheClient.has(name)).toSorted()).toEqual(settings.toSorted())
  const example = Array.from(read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm), ([, name = '']) => name)
  expect(example.toSorted()).toEqual(documented.toSorted())
  const inContainer = read('compose.yaml').matchAll(/^ +([A-Z_]+?)(?:_FILE)?:/gm)
  // The container has its own address and folder.
  const passed = new Set([...Array.from(inContainer, ([, name = '']) => name), 'HOST', 'PORT', 'DATA_DIR'])
  expect(settings.filter((name) => !passed.has(name))).toEqual([])
})

test('npm scripts read .env, and are silent if there is none', () => {
  const commands = ['start', 'dev', 'build', 'admin', 'seed', 'backup', 'restore'].map(
    (name) => manifest.scripts[name] ?? '',
  )
  const flag = '--import ./scripts/load-env.ts'
  expect(commands.filter((command) => !command.includes(flag))).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), 'steward-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const expression = '`${process.env.MAIL_FROM} ${process.env.PORT}`'
  const run = () => {
    const args = ['--import', join(process.cwd(), 'scripts/load-env.ts'), '--print', expression]
    const env = { PORT: '8123' }
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
    return { stdout, stderr, status }
  }
  expect(run()).toEqual({ stdout: 'undefined 8123\n', stderr: '', status: 0 })
  const write = (content: string | Buffer) => writeFileSync(join(folder, '.env'), content)
  write('\uFEFFMAIL_FROM=a#b@example.com\nPORT=1\n')
  expect(run()).toEqual({ stdout: 'a#b@example.com 8123\n', stderr: '', status: 0 })
  write(Buffer.from('MAIL_FROM=a@example.com\n', 'utf16le'))
  expect(run()).toEqual({ stdout: '', stderr: '.env is not UTF-8; save it as UTF-8\n', status: 1 })
  write('# All of it:\nMAIL_FROM: a@example.com\n\nsecret\n')
  const problem = 'is neither NAME=VALUE nor a comment'
  expect(run()).toEqual({ stdout: '', stderr: `.env: line 2 ${problem}\n.env: line 4 ${problem}\n`, status: 1 })
})

const workflows = globSync('.github/workflows/*.yml').map(read).join('')

test('workflows run existing commands, and actions by their digest', () => {
  const actions = Array.from(workflows.matchAll(/uses: (.+)/g), ([, action = '']) => action)
  expect(actions.length).toBeGreaterThan(5)
  expect(actions.filter((action) => !/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
  const commands = Array.from(workflows.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name)
  const files = Array.from(
    workflows.matchAll(/(?:run: |node |config-file: )(\.?\w+\/[\w./-]+)/g),
    ([, path = '']) => path,
  )
  expect(commands.filter((name) => !(name in manifest.scripts))).toEqual([])
  expect(files).toContain('.ci/run')
  expect(files.filter((path) => !existsSync(path))).toEqual([])
})

test('the workflow tests the oldest versions of Node that engines accepts', () => {
  const [, versions] = /version: \[(\d+\.\d+\.\d+.*)\]/.exec(workflows) ?? []
  expect(versions?.split(', ')).toEqual(manifest.engines.node.match(/\d+\.\d+\.\d+/g))
})

test('Renovate and CODEOWNERS name what exists', () => {
  const { packageRules } = JSON.parse(read('.github/renovate.json')) as {
    packageRules: { matchPackageNames?: string[] }[]
  }
  const names = packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames)
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: object }
  const installed = Object.keys(packages)
  const isUnknown = (name: string) =>
    !installed.some((path) => path.startsWith(`node_modules/${name.replace('**', '')}`))
  expect(names.filter((name) => name !== 'node' && isUnknown(name))).toEqual([])
  const owned = Array.from(read('.github/CODEOWNERS').matchAll(/^\/(\S+)/gm), ([, path = '']) => path)
  expect(owned.filter((path) => !existsSync(path))).toEqual([])
})

test('git checks files out with the same line ends on every system', () => {
  const { stdout } = spawnSync('git', ['check-attr', 'eol', 'server/app.ts'], { encoding: 'utf8' })
  expect(stdout).toBe('server/app.ts: eol: lf\n')
})

test('SPEC 9: the version of the API is 0.1.0, whatever that of the product', () => {
  expect(JSON.parse(read('openapi.json'))).toMatchObject({ info: { version: '0.1.0' } })
})

test('the newest version of CHANGELOG.md is that of package.json', () => {
  const versions = Array.from(
    read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/gm),
    ([, version]) => version,
  )
  expect(versions[0]).toBe(manifest.version)
})

test('capabilities change data only by `change`, and jobs, which nobody asks for', () => {
  const others = ['server/sessions/change.ts', 'server/operation/copy.ts']
  const files = globSync('server/**/*.ts', { exclude: ['server/{platform,test}/**', '**/{jobs,*.test}.ts'] })
  const found = files.filter((file) => read(file).includes('.transaction('))
  expect(found.toSorted()).toEqual(others.toSorted())
})

test('tests that replace modules have them for themselves', () => {
  const isolated = new Set(['pressed-twice.test.tsx', 'rendered-rows.test.tsx'])
  const files = globSync('{src,tests}/**/*.test.{ts,tsx}').filter((file) =>
    read(file).includes(['vi', 'mock('].join('.')),
  )
  expect(files.filter((file) => !file.endsWith('-code.test.tsx') && !isolated.has(basename(file)))).toEqual([])
})

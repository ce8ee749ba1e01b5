import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import ts from 'typescript'
import { removeFromContract } from './contract.ts'
import { writeMigration } from './migration.ts'
import { capitalize, type Names, rename } from './names.ts'
import { files } from './resource.ts'
import { removeEntries } from './slice.ts'
import { Source } from './source.ts'
import { descendants } from './syntax.ts'

// Removes what names a resource, then what does not compile without it, until all does.

const texts: [RegExp, string][] = [
  [/\b([Tt]heir|own|of your|All|all) items\b/g, '$1 data'],
  [/\bPeople, items, pages\b/g, 'People, pages'],
  [/\bPeople and items\b/g, 'People'],
  [/\bccounts, items and\b/g, 'ccounts and'],
]

const registrations = new Set(['server/resources.ts', 'server/routes.ts', 'src/lib/resources.ts'])

const parts = /^server\/overview\/|^src\/features\/dashboard\//

/** `trials/` and `bench/` need the client of the API as it is. Dropped files have `items` that are no rows. */
const kept = new Set(['tests/new.test.ts', 'tests/support/api.ts', 'tests/support/files.ts'])

const isEditable = (path: string): boolean =>
  !kept.has(path) &&
  (registrations.has(path) || parts.test(path) || /\.test\.tsx?$|^tests\/(e2e|support)\/|^server\/test\//.test(path))

/** The contents of files that change. An empty text removes the file. */
export type Changes = Map<string, string>

/** Items, which tests of shared parts use. Other resources have the tests of all resources. */
export const isExample = ({ plural }: Names): boolean => plural === 'items'

export function removeResource(names: Names): { changes: Changes; tests: string[] } {
  const { noun, plural } = names
  const other = linkingTo(plural)
  if (other !== undefined) throw new Error(`${capitalize(other)} link to ${plural}: remove ${other} first`)
  const isNamed = nameTest(names)
  const listed = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trimEnd().split('\n')
  const own = new Set(files.map((path) => rename(path, names)))
  const folders = ['server', 'src/features', 'tests/screens'].map((folder) => `${folder}/${plural}/`)
  const changes: Changes = new Map()
  const tests: string[] = []
  for (const path of listed) {
    if (own.has(path) || folders.some((folder) => path.startsWith(folder))) {
      changes.set(path, '')
      continue
    }
    if (!/^(src|server|scripts\/seed|tests)\/.*\.tsx?$|^(index\.html|package\.json)$/.test(path)) continue
    const before = readFileSync(path, 'utf8')
    const text = isExample(names) ? texts.reduce((old, [from, to]) => old.replaceAll(from, to), before) : before
    const isEdited = registrations.has(path) || (isExample(names) && isEditable(path))
    const after = isEdited ? edit(path, text, (node) => isWord(node) && isNamed(node.getText()), tests) : text
    if (after !== before) changes.set(path, after)
  }
  const words = new Source('src/lib/resources.ts', changes.get('src/lib/resources.ts') ?? '')
  const former = `{ tag: '${plural}', title: '${capitalize(plural)}', noun: '${noun}' }`
  changes.set(words.path, String(words.addTo('formerResources', 'elements', [former])))
  const contract = readFileSync('openapi.json', 'utf8')
  changes.set('openapi.json', removeFromContract(contract, names, targetsOf(plural)))
  const [path, migration] = writeMigration(`remove-${plural}`, {
    imports: ['dropResourceTable'],
    body: `await dropResourceTable(db, '${plural}')`,
  })
  return { changes: changes.set(path, migration), tests }
}

function readLinks(): [from: string, to: string[]][] {
  const lines = readFileSync('src/lib/resources.ts', 'utf8').split(/(?=\{\s*tag: ')/)
  return lines.map((line) => [
    /^\{\s*tag: '(\w+)'/.exec(line)?.[1] ?? '',
    Array.from(line.matchAll(/\bto: '(\w+)'/g), ([, to = '']) => to),
  ])
}

const linkingTo = (plural: string): string | undefined =>
  readLinks().find(([from, to]) => from !== plural && to.includes(plural))?.[0]

const targetsOf = (plural: string): string[] =>
  (readLinks().find(([from]) => from === plural)?.[1] ?? []).filter(
    (target) => !readLinks().some(([from, to]) => from !== plural && to.includes(target)),
  )

/** Removes code of tests, and of lists of resources, that does not compile or is not used. @returns the removed tests */
export function removeFaults(): { written: Set<string>; tests: string[] } {
  const written = new Set<string>()
  const tests: string[] = []
  for (const config of ['tsconfig.json', 'server/tsconfig.json']) {
    let program: ts.Program | undefined
    /** The files whose faults may be new. By default, all. */
    let open: Set<string> | undefined
    for (;;) {
      program = compile(config, program)
      const edited = new Set<string>()
      for (const file of program.getSourceFiles().filter(({ fileName }) => open?.has(fileName) ?? true)) {
        const path = relative('.', file.fileName)
        if (!isEditable(path) || path.startsWith('..')) continue
        const starts = new Set(program.getSemanticDiagnostics(file).map(({ start }) => start))
        if (starts.size === 0) continue
        const isFault = (node: ts.Node) =>
          starts.has(node.getStart()) && !descendants(node).some((one) => one !== node && starts.has(one.getStart()))
        const text = edit(path, file.text, isFault, tests)
        if (text === file.text) continue
        write(path, text)
        edited.add(file.fileName)
        written.add(path)
      }
      if (edited.size === 0 && !open) break
      // At last all files, as a fault may be in one that imports no edited file.
      open = edited.size === 0 ? undefined : withImporters(program, edited)
    }
  }
  return { written, tests }
}

export function write(path: string, text: string): void {
  if (text !== '') writeFileSync(path, text)
  else if (existsSync(path)) rmSync(path)
}

/** Whether a text names the resource, as a word of its own or of a longer name: `manyItems`, `item_counts`. */
function nameTest({ noun, plural }: Names): (text: string) => boolean {
  const [one, many] = [capitalize(noun), capitalize(plural)]
  const pattern = new RegExp(`(?<![A-Za-z])(?:${noun}|${plural})(?![a-z])|(?:${one}|${many})(?![a-z])`)
  const others = /(?:max|min|get|set|remove)Items?\b|items-(?:center|start|end|baseline)|at most \d+ items/g
  return (text) => pattern.test(text.replaceAll(others, ''))
}

const isWord = (node: ts.Node): boolean =>
  ts.isIdentifier(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node) ||
  ts.isRegularExpressionLiteral(node)

/** @param tests gets the removed ones @returns an empty text if nothing is left */
function edit(path: string, before: string, isMention: (node: ts.Node) => boolean, tests: string[]): string {
  const { text, tests: removed } = removeEntries(path, before, isMention)
  tests.push(...removed.map((title) => `${path}: ${title}`))
  if (text === before) return before
  const isEmpty = /\.(test|spec)\.tsx?$/.test(path) ? !/^\s*test\b/m.test(text) : text.trim() === ''
  return isEmpty ? '' : text
}

function compile(config: string, old: ts.Program | undefined): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined }
  const { fileNames = [], options = {} } = ts.getParsedCommandLineOfConfigFile(config, {}, host) ?? {}
  const compiler = ts.createCompilerHost(options, true)
  const getSourceFile = compiler.getSourceFile.bind(compiler)
  compiler.getSourceFile = (name, ...others) => {
    const before = old?.getSourceFile(name)
    const isSame = before && (name.includes('node_modules') || before.text === ts.sys.readFile(name))
    return isSame ? before : getSourceFile(name, ...others)
  }
  return ts.createProgram({ rootNames: fileNames, options, host: compiler, ...(old && { oldProgram: old }) })
}

function withImporters(program: ts.Program, edited: Set<string>): Set<string> {
  const checker = program.getTypeChecker()
  const importsEdited = ({ statements }: ts.SourceFile) =>
    statements.filter(ts.isImportDeclaration).some(({ moduleSpecifier }) => {
      const [module] = checker.getSymbolAtLocation(moduleSpecifier)?.declarations ?? []
      return module !== undefined && edited.has(module.getSourceFile().fileName)
    })
  return new Set(
    program
      .getSourceFiles()
      .filter((file) => edited.has(file.fileName) || importsEdited(file))
      .map(({ fileName }) => fileName),
  )
}

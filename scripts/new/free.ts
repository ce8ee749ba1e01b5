import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { componentNames } from './contract.ts'
import type { Field } from './fields.ts'
import type { Names } from './names.ts'
import { folders } from './remove.ts'

/** First parts of paths that the server answers itself, or that the build has. */
const paths = new Set(['api', 'assets', 'docs', 'fonts', 'healthz', 'metrics', 'readyz'])

/** @throws Error unless nothing else here has the names of a new resource */
export function requireFree({ noun, plural }: Names, fields: readonly Field[], created: Iterable<string>): void {
  const contract = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    tags: { name: string }[]
    components: { schemas: object; parameters: object }
  }
  const components = new Set([contract.components.schemas, contract.components.parameters].flatMap(Object.keys))
  const schema = componentNames({ noun, plural }, fields).find((name) => components.has(name))
  const tables = readFileSync('server/tables.ts', 'utf8')
  const audit = readFileSync('server/audit/record.ts', 'utf8')
  const refuse = (reason: string): never => {
    throw new Error(`A resource cannot be called “${noun}” here: ${reason}. Choose another word`)
  }
  if (contract.tags.some(({ name }) => name === plural)) refuse(`openapi.json has “${plural}”`)
  if (schema !== undefined) refuse(`openapi.json has “${schema}”`)
  if (new RegExp(`^  ${plural}: `, 'm').test(tables)) refuse(`there is a table “${plural}”`)
  if (new RegExp(`'${noun}-(?:create|change|delete)'`).test(audit)) refuse('the audit log has its actions')
  if (paths.has(plural) || existsSync(`public/${plural}`)) refuse(`the server has the path /${plural}`)
  const files = ['server', 'src/features', 'src/routes/_layout', 'src/routes/_auth', 'scripts/seed/rows']
  const taken =
    files.find((folder) => readdirSync(folder).some((name) => name.replace(/\.\w+$/, '') === plural)) ??
    folders.find((folder) => existsSync(`${folder}/${plural}`))
  if (taken !== undefined) refuse(`there is ${taken}/${plural}`)
  const there = [...created].find((path) => existsSync(path))
  if (there !== undefined) refuse(`there is ${there}`)
}

import { readFileSync } from 'node:fs'
import { absent, besideOf, type Field, isOptional } from './fields.ts'
import { filterNames, type Schema, withNull } from './kinds/kind.ts'
import { capitalize, type Names, rename } from './names.ts'

interface Contract {
  tags: { name: string }[]
  paths: Record<string, unknown>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, { description: string; schema: Schema & { enum: string[] } }>
  }
}

const template = `${import.meta.dirname}/template/openapi.json`

export function addToContract(text: string, names: Names, fields: readonly [Field, ...Field[]]): string {
  const contract = JSON.parse(text) as Contract
  const own = JSON.parse(rename(readFileSync(template, 'utf8'), names)) as Contract
  const noun = capitalize(names.noun)
  const { components } = contract
  contract.tags.push(...own.tags)
  Object.assign(contract.paths, own.paths)
  Object.assign(components.parameters, own.components.parameters)
  Object.assign(components.schemas, own.components.schemas)
  const [{ name }] = fields
  components.parameters[`${noun}Sort`]?.schema.enum.push(name, `-${name}`)
  addTo(contract, noun, fields, { Public: 'id', Create: undefined, Update: undefined })
  addFilters(contract, names, fields)
  addLinks(contract, names, fields)
  return print(contract)
}

export function componentNames(names: Names, fields: readonly Field[]): string[] {
  const own = JSON.parse(rename(readFileSync(template, 'utf8'), names)) as Contract
  const noun = capitalize(names.noun)
  return [
    ...Object.keys(own.components.schemas),
    ...Object.keys(own.components.parameters),
    ...fields.map(({ pascal }) => `${noun}${pascal}`),
  ]
}

export function addFieldsToContract(text: string, { noun, plural }: Names, fields: readonly Field[]): string {
  const contract = JSON.parse(text) as Contract
  const name = capitalize(noun)
  if (plural === 'users') {
    const after = 'full_name'
    addTo(contract, name, fields, { Public: after, Create: after, Update: after, UpdateMe: after })
  } else {
    const { properties = {} } = contract.components.schemas[`${name}Public`] ?? {}
    const last = Object.keys(properties as Record<string, Schema>).findLast(
      (key) => !/^(id|owner_id|created_at|version)$/.test(key),
    )
    addTo(contract, name, fields, { Public: last, Create: last, Update: last })
    addFilters(contract, { noun, plural }, fields)
    addLinks(contract, { noun, plural }, fields)
  }
  return print(contract)
}

interface Parameters {
  get: { parameters: object[] }
}

interface Deletion {
  delete: { responses: Record<string, unknown> }
}

interface Filter {
  propertyNames: { enum: string[] }
  properties: Record<string, Schema>
}

function addFilters({ paths, components }: Contract, { noun, plural }: Names, fields: readonly Field[]): void {
  const bulk = components.schemas[`${capitalize(plural)}Bulk`]?.properties as { filter: Filter }
  const sort = components.parameters[`${capitalize(noun)}Sort`]
  for (const { name: field, kind } of fields) {
    if (!kind.filter) continue
    const { description: note, ...schema } = kind.filter.schema
    for (const name of filterNames({ name: field, filter: kind.filter })) {
      if (bulk.filter.propertyNames.enum.includes(name)) throw new Error(`A list is already filtered by “${name}”`)
      const parameter = `${capitalize(noun)}${name.split('_').map(capitalize).join('')}`
      const description = [`Only rows whose field \`${field}\` ${conditionOf(name, field)}.`, note]
        .filter(Boolean)
        .join(' ')
      Object.assign(components.parameters, { [parameter]: { name, in: 'query', description, schema } })
      for (const path of [`/api/v1/${plural}/`, `/api/v1/${plural}/export`])
        // The sort is the last one.
        (paths[path] as Parameters).get.parameters.splice(-1, 0, { $ref: `#/components/parameters/${parameter}` })
      bulk.filter.propertyNames.enum.push(name)
      bulk.filter.properties[name] = { ...schema, description }
    }
    sort?.schema.enum.push(field, `-${field}`)
    if (sort) sort.description = sort.description.replace(BY_ID, `${BY_ID.slice(0, -1)}, except for ${TIES}`)
  }
}

function addLinks(contract: Contract, { noun, plural }: Names, fields: readonly Field[]): void {
  const { paths, components } = contract
  const bulk = components.schemas[`${capitalize(plural)}Bulk`]?.properties as { filter: Filter }
  const id = { $ref: '#/components/schemas/Id' }
  for (const { name, pascal, kind } of fields) {
    if (!kind.link) continue
    const parameter = `${capitalize(noun)}${pascal}`
    const description = `Only rows that link to this ${kind.link.noun}.`
    Object.assign(components.parameters, { [parameter]: { name, in: 'query', description, schema: id } })
    for (const path of [`/api/v1/${plural}/`, `/api/v1/${plural}/export`])
      // The sort is the last one.
      (paths[path] as Parameters).get.parameters.splice(-1, 0, { $ref: `#/components/parameters/${parameter}` })
    bulk.filter.propertyNames.enum.push(name)
    bulk.filter.properties[name] = id
    const { responses } = (paths[`/api/v1/${kind.link.to}/{id}`] as Deletion).delete
    const { 200: done, 401: held, 403: allowed, 404: found, ...others } = responses
    const refusal = { $ref: '#/components/responses/Conflict' }
    const all = { 200: done, 401: held, 403: allowed, 404: found, 409: refusal, ...others }
    Object.assign((paths[`/api/v1/${kind.link.to}/{id}`] as Deletion).delete, { responses: all })
  }
}

const BY_ID = 'Ties are sorted by id.'
const TIES = 'those of other fields than texts, which are sorted by the time of creation, then by id.'

function conditionOf(name: string, field: string): string {
  if (name === field) return 'has this value, or one of these'
  return name.endsWith('_from') ? 'is this or more' : 'is this or less'
}

const schemaName = ({ noun }: Names, field: string): string =>
  `${capitalize(noun)}${field.split('_').map(capitalize).join('')}`

function placesOf({ components }: Contract, names: Names, field: string): Schema[] {
  const { schemas, parameters } = components
  const { noun, plural } = names
  const name = schemaName(names, field)
  const propertyOf = (schema: Schema | undefined) => (schema?.properties as Record<string, Schema> | undefined)?.[field]
  const bulk = (schemas[`${capitalize(plural)}Bulk`]?.properties as { filter: Filter } | undefined)?.filter
  const all = [
    schemas[name],
    parameters[name]?.schema,
    propertyOf(schemas[`${capitalize(noun)}Public`]),
    bulk?.properties[field],
  ]
  return all.filter((schema) => schema !== undefined)
}

type ChoiceValue = string | null

/** @throws Error if it is no choice */
export function choiceIn(text: string, names: Names, field: string): { values: string[]; isNullable: boolean } {
  const { components } = JSON.parse(text) as Contract
  const { enum: values } = (components.schemas[schemaName(names, field)] ?? {}) as { enum?: ChoiceValue[] }
  if (!values) throw new Error(`${capitalize(names.plural)} have no choice “${field}”`)
  return { values: values.filter((value) => value !== null), isNullable: values.includes(null) }
}

export function setChoice(
  text: string,
  names: Names,
  field: string,
  { values, now }: { values: readonly string[]; now: ReadonlyMap<string, string> },
): string {
  const contract = JSON.parse(text) as Contract
  const created = contract.components.schemas[`${capitalize(names.noun)}Create`]?.properties as Record<string, Schema>
  const given = created[field] ?? {}
  if ('default' in given) given.default = now.get(String(given.default))
  for (const schema of placesOf(contract, names, field)) {
    if (Array.isArray(schema.enum)) schema.enum = [...values, ...(schema.enum.includes(null) ? [null] : [])]
    if (Array.isArray(schema['x-values'])) schema['x-values'] = values
  }
  return print(contract)
}

const print = (contract: Contract): string => `${JSON.stringify(contract, null, 2)}\n`

/** Adds fields to schemas. @param places the property that they follow in each */
function addTo(
  { components }: Contract,
  noun: string,
  fields: readonly Field[],
  places: Record<string, string | undefined>,
): void {
  const { schemas } = components
  const named = fields.filter(({ kind }) => kind.bounds)
  const schemaOf = ({ pascal }: Field) => `${noun}${pascal}`
  const refTo = (field: Field): Schema => ({ $ref: `#/components/schemas/${schemaOf(field)}` })
  for (const [name, after] of Object.entries(places)) {
    const schema = schemas[`${noun}${name}`]
    if (!schema) throw new Error(`openapi.json has no schema ${noun}${name}`)
    const isAnswer = name === 'Public'
    const added = fields.flatMap((field): [string, Schema][] => [
      [
        field.name,
        {
          ...(!isAnswer && field.kind.bounds ? refTo(field) : shown(field, isAnswer)),
          ...(name === 'Create' && isOptional(field) && !field.isNullable && { default: absent(field) }),
        },
      ],
      ...(isAnswer ? besideOf(field).map((key): [string, Schema] => [key, { type: ['string', 'null'] }]) : []),
    ])
    schema.properties = insert(schema.properties as Record<string, Schema>, added, after)
    const required = fields.flatMap((field) => {
      if (isAnswer) return [field.name, ...besideOf(field)]
      return name === 'Create' && !isOptional(field) ? [field.name] : []
    })
    const names = Object.fromEntries(((schema.required ?? []) as string[]).map((key) => [key, true]))
    const place = after !== undefined && Object.hasOwn(names, after) ? after : undefined
    const all = Object.keys(
      insert(
        names,
        required.map((key) => [key, true]),
        place,
      ),
    )
    if (all.length > 0) schema.required = all
    else delete schema.required
  }
  const { Title = {}, Description = {} } = schemas
  const bounds = named.map((field): [string, Schema] => [
    schemaOf(field),
    field.kind.bounds?.({ Title, Description }, { isNullable: field.isNullable }) ?? {},
  ])
  components.schemas = insert(schemas, bounds, 'Description')
}

function insert<Value>(
  entries: Record<string, Value>,
  added: [string, Value][],
  after: string | undefined,
): Record<string, Value> {
  const all = Object.entries(entries)
  const index = all.findIndex(([key]) => key === after)
  return Object.fromEntries(all.toSpliced(index === -1 ? all.length : index + 1, 0, ...added))
}

function shown({ kind, isNullable }: Field, isAnswer: boolean): Schema {
  if (!isAnswer && kind.request) return kind.request
  return isNullable ? withNull(kind.schema) : kind.schema
}

/** @param targets resources whose deletion nothing refuses any more */
export function removeFromContract(text: string, { noun, plural }: Names, targets: readonly string[]): string {
  const contract = JSON.parse(text) as Contract
  for (const target of targets) delete (contract.paths[`/api/v1/${target}/{id}`] as Deletion).delete.responses['409']
  const isOwn = (key: string) =>
    key.startsWith(`/api/v1/${plural}/`) ||
    new RegExp(`^(${capitalize(noun)}|${capitalize(plural)})(Public|Create|Update|Bulk|Sort|[A-Z]\\w+)$`).test(key)
  const others = <Value>(entries: Record<string, Value>) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !isOwn(key)))
  contract.paths = others(contract.paths)
  contract.components.parameters = others(contract.components.parameters)
  contract.components.schemas = others(contract.components.schemas)
  return print(withoutName(contract, plural) as Contract)
}

function withoutName(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return value
      .filter((one) => one !== name && (one as { name?: unknown } | null)?.name !== name)
      .map((one) => withoutName(one, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => {
    if (key !== 'properties') return [key, withoutName(one, name)]
    const kept = Object.entries(one as object).filter(([property]) => property !== name)
    return [key, withoutName(Object.fromEntries(kept), name)]
  })
  return Object.fromEntries(entries)
}

import { Ajv, type AnySchemaObject, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import contract from '../../../openapi.json' with { type: 'json' }
import type { ValidationError } from '../../contract/types.gen.ts'
import { readDateOrTime, toInstant } from '../lib/date-or-time.ts'
import { toScaled } from '../lib/decimal.ts'
import { normalizeAddress } from '../lib/email-address.ts'

const normalizations: Record<string, (text: string) => string> = {
  trim: (text) => text.trim(),
  lowercase: (text) => text.toLowerCase(),
  address: normalizeAddress,
  // The format `date-time` also accepts leap seconds, and years that have no four digits in UTC. Validation rejects the
  // empty text.
  instant: (text) => toInstant(text) ?? '',
}

/** A keyword in openapi.json: normalizes a string before its bounds are checked. */
const xNormalize: FuncKeywordDefinition = {
  keyword: 'x-normalize',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  modifying: true,
  errors: false,
  compile(kind: string) {
    const normalize = normalizations[kind]
    if (!normalize) throw new Error(`The contract asks for an unknown normalization: ${kind}`)
    return (text: string, context) => {
      if (context) context.parentData[context.parentDataProperty] = normalize(text)
      return true
    }
  },
}

/** A keyword in openapi.json: an ECMAScript pattern with the flag `u`. It skips text that is too long. */
function patternKeyword(keyword: string, rule: string, { takesEmpty = false } = {}): FuncKeywordDefinition {
  return {
    keyword,
    type: 'string',
    schemaType: 'string',
    errors: true,
    compile(pattern: string, { maxLength = Infinity }: AnySchemaObject) {
      const expression = new RegExp(pattern, 'u')
      // A code point has at most two units, so `maxLength` rejects a longer text.
      const maxUnits = 2 * Number(maxLength)
      const check: DataValidateFunction = (text: string) => {
        check.errors = [{ keyword: rule, params: { pattern } }]
        return (takesEmpty && text === '') || text.length > maxUnits || expression.test(text)
      }
      return check
    },
  }
}

/** A keyword in openapi.json: the least and the greatest value of a decimal. Its `pattern` rejects other text. */
const xDecimal: FuncKeywordDefinition = {
  keyword: 'x-decimal',
  type: 'string',
  schemaType: 'object',
  errors: true,
  compile({ minimum, maximum }: { minimum: string; maximum: string }) {
    const [least, most] = [toScaled(minimum), toScaled(maximum)]
    const check: DataValidateFunction = (text: string) => {
      if (!/^-?\d+\.\d+$/.test(text)) return true
      const value = toScaled(text)
      check.errors = [
        ...(value < least ? [{ keyword: 'minimum', params: { limit: minimum } }] : []),
        ...(value > most ? [{ keyword: 'maximum', params: { limit: maximum } }] : []),
      ]
      return check.errors.length === 0
    }
    return check
  },
}

/** A keyword in openapi.json: one or more of these values, separated by commas, none twice. */
const xValues: FuncKeywordDefinition = {
  keyword: 'x-values',
  type: 'string',
  schemaType: 'array',
  errors: true,
  compile(allowedValues: string[]) {
    const check: DataValidateFunction = (text: string) => {
      const values = text.split(',')
      check.errors = [
        ...(values.every((value) => allowedValues.includes(value))
          ? []
          : [{ keyword: 'enum', params: { allowedValues } }]),
        ...(new Set(values).size === values.length ? [] : [{ keyword: 'uniqueItems', params: {} }]),
      ]
      return check.errors.length === 0
    }
    return check
  },
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, removeAdditional: 'all', useDefaults: true })
ajv.addKeyword(xNormalize)
ajv.addKeyword(patternKeyword('x-pattern', 'pattern'))
// `minLength` decides whether an empty text is valid.
ajv.addKeyword(patternKeyword('x-visible', 'visible', { takesEmpty: true }))
ajv.addKeyword(xDecimal)
ajv.addKeyword(xValues)
addFormats.default(ajv, ['date', 'date-time'])
ajv.addFormat('uuid', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)
ajv.addFormat('date-or-time', (text: string) => readDateOrTime(text) !== undefined)
// These formats are only for readers and tools. `x-pattern` validates addresses.
ajv.addFormat('idn-email', true)
ajv.addFormat('password', true)

type Validator = ReturnType<FastifySchemaCompiler<ObjectSchema>>

const validators = new WeakMap<object, Validator>()

/** Compiles each schema once for all servers of the process. Keys that the schema does not name are removed. */
export const validatorCompiler: FastifySchemaCompiler<ObjectSchema> = (route) => {
  const validate = validators.get(route.schema) ?? compile(route)
  validators.set(route.schema, validate)
  return validate
}

const compile: FastifySchemaCompiler<ObjectSchema> = ({ schema, httpPart }) => {
  const validate = ajv.compile(httpPart === 'headers' ? withLowerCaseNames(schema) : schema)
  // Validates a copy, because validation removes headers that are not in the schema but still needed.
  if (httpPart === 'headers') return (headers: object) => validate({ ...headers }) || { error: validate.errors ?? [] }
  if (httpPart === 'body') return withBoundedLists(schema, validate)
  if (httpPart !== 'querystring') return validate
  const integers = Object.keys(schema.properties ?? {}).filter((key) => schema.properties?.[key]?.type === 'integer')
  return (query: Record<string, unknown>) => {
    for (const key of integers) if (key in query) query[key] = toInteger(query[key])
    return validate(query) ? { value: query } : { error: validate.errors ?? [] }
  }
}

/**
 * Validates one of many objects by the schema of a body, and normalizes it.
 * @returns the fields with errors, and the first error of each
 */
export function findErrors(schema: object, one: object): { field: string; detail: string }[] {
  // Ajv keeps compiled schemas.
  const validate = ajv.compile(schema)
  if (validate(one)) return []
  const errors = new Map<string, string>()
  for (const { loc, msg } of describeErrors(validate.errors ?? [], 'body')) {
    const field = String(loc[1])
    if (!errors.has(field)) errors.set(field, msg)
  }
  return Array.from(errors, ([field, detail]) => ({ field, detail }))
}

/** Checks the lengths of lists first, because validation reports the errors of each of their items. */
function withBoundedLists({ properties = {} }: ObjectSchema, validate: ValidateFunction): Validator {
  const bounds = Object.entries(properties).flatMap(([key, { maxItems }]) =>
    maxItems === undefined ? [] : [[key, maxItems] as const],
  )
  if (bounds.length === 0) return validate
  return (body: Record<string, unknown> | null) => {
    for (const [key, limit] of bounds) {
      const list = body?.[key]
      if (Array.isArray(list) && list.length > limit)
        return { error: [{ instancePath: `/${key}`, schemaPath: '', keyword: 'maxItems', params: { limit } }] }
    }
    return validate(body) || { error: validate.errors ?? [] }
  }
}

interface ObjectSchema {
  properties?: Record<string, { type?: unknown; maxItems?: number }>
  required?: string[]
}

/** Node gives header names in lower case. */
function withLowerCaseNames({ properties = {}, required = [], ...schema }: ObjectSchema): ObjectSchema {
  const small = Object.entries(properties).map(([name, of]) => [name.toLowerCase(), of] as const)
  return { ...schema, properties: Object.fromEntries(small), required: required.map((name) => name.toLowerCase()) }
}

/** Converts `5` in a URL to a number, but not `0x5`, `5.0` or ` 5`. In a body, `"5"` is not a number. */
function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
}

const messages: Record<string, (params: Record<string, string>) => string> = {
  required: () => 'Field required',
  type: ({ type }) => `Input should be ${nameOfType(type)}`,
  minLength: ({ limit }) => `String should have at least ${plural(limit, 'character')}`,
  maxLength: ({ limit }) => `String should have at most ${plural(limit, 'character')}`,
  minimum: ({ limit }) => `Input should be at least ${limit}`,
  maximum: ({ limit }) => `Input should be at most ${limit}`,
  minItems: ({ limit }) => `List should have at least ${plural(limit, 'item')}`,
  maxItems: ({ limit }) => `List should have at most ${plural(limit, 'item')}`,
  enum: ({ allowedValues }) => `Input should be one of ${[allowedValues].flat().join(', ')}`,
  uniqueItems: () => 'Values should be different',
  format: ({ format }) => `Input should be a valid ${(format !== undefined && formatNames[format]) || format}`,
  pattern: ({ pattern = '' }) =>
    patternMessages[pattern] ??
    decimalMessage(pattern) ??
    'String should be text without NUL characters or broken Unicode',
  visible: () => 'String should have at least 1 visible character',
}

const formatNames: Record<string, string> = { uuid: 'UUID', 'date-or-time': 'date, or time with its zone' }

const patternMessages: Record<string, string> = {
  [contract.components.schemas.Email['x-pattern']]: 'Value is not a valid email address',
  [contract.components.schemas.FullName['x-pattern']]: 'String should be one line without control characters',
  [contract.components.parameters.IdempotencyKey.schema.pattern]: 'String should be printable ASCII characters',
  // A pattern of dates.
  '^[1-9]': 'Input should have a year with four digits',
}

/** @param pattern of a decimal, whose end has the number of places */
function decimalMessage(pattern: string): string | undefined {
  const [, places] = /\\\.\\d\{(\d+)\}\$$/.exec(pattern) ?? []
  const example = (1.5).toFixed(Number(places ?? 1))
  return places && `Input should be a decimal with ${places} digits after the point, such as ${example}`
}

function nameOfType(type: string | string[] | undefined): string {
  const names: Record<string, string> = {
    string: 'a text',
    integer: 'a whole number',
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
    null: 'null',
  }
  const all = [type ?? []].flat()
  return all.map((name) => names[name] ?? name).join(' or ')
}

function plural(limit: string | undefined, noun: string): string {
  return `${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`
}

/** Validation errors for people and programs. They name places and rules, never the values that were sent. */
export function describeErrors(
  errors: readonly Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>[],
  httpPart: string,
): ValidationError[] {
  const part = { querystring: 'query', params: 'path', headers: 'header' }[httpPart] ?? httpPart
  return errors.map(({ instancePath, keyword, params }) => {
    const keys = instancePath.split('/').slice(1)
    if (keyword === 'required') keys.push(String(params.missingProperty))
    return { loc: [part, ...keys], msg: messages[keyword]?.(params) ?? 'Invalid input', type: keyword }
  })
}

import { answers } from '@/client/answers.gen'

/**
 * Whether a successful response is what the contract says for its operation, and not the page of a proxy or the log-in
 * page of a network. Further properties are allowed, as other back ends have them.
 * @param operation method and path, as in the contract
 */
export function isAnswer(operation: string, { headers }: Pick<Response, 'headers'>, body: ArrayBuffer): boolean {
  const expected = answers[operation]
  if (expected === undefined) return false
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  // A file can have any type, but the page of a proxy is no attachment.
  if (expected === '*/*') return headers.has('Content-Disposition')
  if (/^\w+\/[\w-]+$/.test(expected)) return mediaType === expected
  return mediaType === 'application/json' && hasProperties(parse(body), expected)
}

function hasProperties(value: unknown, expected: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    expected === '' ||
    expected.split(' ').every((property) => {
      const [name = '', kind = ''] = property.split(':')
      return isOf(kind, (value as Record<string, unknown>)[name])
    })
  )
}

function isOf(kind: string, value: unknown): boolean {
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'text') return typeof value === 'string' && value.trim() !== ''
  return typeof value === kind && value !== null
}

function parse(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

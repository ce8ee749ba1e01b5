import { answers } from '@/client/answers.gen'

/** Detects pages of proxies and login pages of networks. @param operation method and path, as in the contract */
export function isAnswer(operation: string, { headers }: Pick<Response, 'headers'>, body: ArrayBuffer): boolean {
  const expected = answers[operation]
  if (expected === undefined) return false
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  // A file can have any type, but a proxy does not send its page as an attachment.
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

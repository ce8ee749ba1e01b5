const tags = new WeakMap<object, string>()

/** What a change is sent with, so that it applies to nothing but what was read. */
export type Precondition = { 'If-Match'?: string }

/** @returns the body of an answer, whose entity tag `ifMatch` then knows */
export function withTag<Resource extends object>(answer: { data: Resource; response: Response }): Resource {
  const tag = answer.response.headers.get('ETag')
  // A weak tag never matches (RFC 9110, 8.8.3.2).
  if (tag?.startsWith('"')) tags.set(answer.data, tag)
  return answer.data
}

/** The precondition for a change of this resource. Empty where the back end gives no strong tags. */
export function ifMatch(resource: object): Precondition {
  const tag = tags.get(resource)
  return tag === undefined ? {} : { 'If-Match': tag }
}

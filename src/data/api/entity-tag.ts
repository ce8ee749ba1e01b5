const tags = new WeakMap<object, string>()
const editTimes = new WeakMap<object, string>()

/** A header that makes a change conditional on the version that was read. */
export type Precondition = { 'If-Match'?: string }

/** A response of the generated client. */
export interface ApiResponse<Resource> {
  data: Resource
  response: Response
}

/** Stores the entity tag for `ifMatch`, and the time for `editTime`. @returns the resource */
export function withTag<Resource extends object>({ data, response }: ApiResponse<Resource>): Resource {
  const tag = response.headers.get('ETag')
  // A weak tag never matches (RFC 9110, 8.8.3.2).
  if (tag?.startsWith('"')) tags.set(data, tag)
  const edited = Date.parse(response.headers.get('Last-Modified') ?? '')
  if (!Number.isNaN(edited)) editTimes.set(data, new Date(edited).toISOString())
  return data
}

/** The precondition for a change of this resource; empty if the back end sends no strong tags. */
export function ifMatch(resource: object): Precondition {
  const tag = tags.get(resource)
  return tag === undefined ? {} : { 'If-Match': tag }
}

/**
 * When the resource was changed last, to the second; `undefined` if the back end does not say it.
 *
 * @public Of resources.
 */
export function editTime(resource: object): string | undefined {
  return editTimes.get(resource)
}

const tags = new WeakMap<object, string>()

/** A header that makes a change conditional on the version that was read. */
export type Precondition = { 'If-Match'?: string }

/** A response of the generated client. */
export interface ApiResponse<Resource> {
  data: Resource
  response: Response
}

/** Stores the entity tag for `ifMatch`. @returns the resource */
export function withTag<Resource extends object>({ data, response }: ApiResponse<Resource>): Resource {
  const tag = response.headers.get('ETag')
  // A weak tag never matches (RFC 9110, 8.8.3.2).
  if (tag?.startsWith('"')) tags.set(data, tag)
  return data
}

/** The precondition for a change of this resource; empty if the back end sends no strong tags. */
export function ifMatch(resource: object): Precondition {
  const tag = tags.get(resource)
  return tag === undefined ? {} : { 'If-Match': tag }
}

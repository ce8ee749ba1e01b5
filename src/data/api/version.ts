/** A header that makes a change conditional on the version that was read. */
export type Precondition = { 'If-Match'?: string }

export interface ApiResponse<Resource> {
  data: Resource
  response: Response
}

/** `undefined` if the back end has no versions. */
export function versionOf(row: object): string | undefined {
  return (row as { version?: string }).version
}

export function ifMatch(row: object): Precondition {
  const version = versionOf(row)
  return version === undefined ? {} : { 'If-Match': `"${version}"` }
}

/** A header that makes a change conditional on the version that was read. */
export type Precondition = { 'If-Match'?: string }

export interface ApiResponse<Resource> {
  data: Resource
  response: Response
}

/** The version of a row; `undefined` if the back end has none. */
export function versionOf(row: object): string | undefined {
  return (row as { version?: string }).version
}

/** The precondition for a change of this row; empty if the back end has no versions. */
export function ifMatch(row: object): Precondition {
  const version = versionOf(row)
  return version === undefined ? {} : { 'If-Match': `"${version}"` }
}

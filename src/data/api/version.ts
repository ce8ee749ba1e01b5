export type Precondition = { 'If-Match'?: string }

export interface ApiResponse<Resource> {
  data: Resource
  response: Response
}

/** `undefined` if the back end has no versions. */
export const versionOf = (row: object): string | undefined => (row as { version?: string }).version

export function ifMatch(row: object): Precondition {
  const version = versionOf(row)
  return version === undefined ? {} : { 'If-Match': `"${version}"` }
}

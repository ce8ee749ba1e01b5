import { type ApiResponse, ifMatch, type Precondition } from './resource'
import { isChanged, isGone, SaveConflict } from './errors'

interface SaveOptions<Resource> {
  first: () => Promise<Resource>
  /** Whether saving would overwrite a change that the user has not seen. */
  conflictsWith: (server: Resource) => boolean
  write: (headers: Precondition, server: Resource) => Promise<ApiResponse<Resource>>
  read: () => Promise<Resource>
}

const MAX_ATTEMPTS = 4

/** Retries after a 412 unless the changes conflict (docs/decisions/0016-no-lost-updates.md). @throws SaveConflict */
export async function saveChanges<Resource extends object>(options: SaveOptions<Resource>): Promise<Resource> {
  let server = await unlessGone(options.first())
  let headers = ifMatch(server)
  for (let attempt = 1; ; attempt += 1) {
    if (options.conflictsWith(server)) throw new SaveConflict(server)
    try {
      return (await options.write(headers, server)).data
    } catch (error) {
      if (isGone(error)) throw new SaveConflict(null, { cause: error })
      if (!isChanged(error) || attempt === MAX_ATTEMPTS) throw error
    }
    server = await unlessGone(options.read())
    const next = ifMatch(server)
    // A refused version is not sent again. During an upgrade, two releases may compute different versions of a row.
    headers = next['If-Match'] === headers['If-Match'] ? {} : next
  }
}

async function unlessGone<Resource>(reading: Promise<Resource>): Promise<Resource> {
  try {
    return await reading
  } catch (error) {
    throw isGone(error) ? new SaveConflict(null, { cause: error }) : error
  }
}

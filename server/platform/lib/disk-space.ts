import { stat, statfs } from 'node:fs/promises'

/** What stays free on the disk, which the database may share. */
const RESERVE_BYTES = 128 * 1024 ** 2

/** Announced bytes that are not written yet, by disk. */
const announced = new Map<number, number>()

export interface Reservation {
  wrote(bytes: number): void
  /** Releases the announced bytes that were not written. */
  end(): void
}

/** How many bytes can be written, besides the reserve and what was announced. @param folder one on the disk */
export async function freeDiskBytes(folder: string, reserveBytes = RESERVE_BYTES): Promise<number> {
  const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)])
  return bavail * bsize - reserveBytes - (announced.get(dev) ?? 0)
}

/** Announces bytes that will be written. @returns `undefined` if there is no room for them */
export async function reserveDiskBytes(folder: string, bytes: number): Promise<Reservation | undefined> {
  const { dev } = await stat(folder)
  let left = 0
  const add = (more: number): void => {
    left += more
    announced.set(dev, (announced.get(dev) ?? 0) + more)
  }
  const room = { wrote: (written: number) => add(-Math.min(written, left)), end: () => add(-left) }
  // Announces the bytes before the check, so that concurrent calls see them.
  add(bytes)
  try {
    if ((await freeDiskBytes(folder)) >= 0) return room
  } catch (error) {
    room.end()
    throw error
  }
  room.end()
  return undefined
}

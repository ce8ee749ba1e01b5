import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../../tests/support/random.ts'
import type { Operation } from './file-operations.ts'

const SECTOR = 512

type Change = { at: number } & ({ offset: number; data: Buffer } | { length: number })

interface File {
  synced: Buffer
  pending: Change[]
  length: number
}

type Entry = File | 'folder' | undefined

/** Changes of names that happen together. A rename changes two. */
interface NameChange {
  at: number
  entries: [path: string, entry: Entry][]
}

/** How much of the unsynced changes a power cut leaves. */
export type Leaves = 'nothing' | 'everything' | 'a part'

/** Which calls of `fsync` have no effect, to show that the trial finds faults. */
export type Ignored = 'none' | 'files' | 'folders'

/**
 * A folder on a disk that keeps what was synced. A power cut leaves any part of the rest: single writes, or sectors of them,
 * in any order. A name is on the disk once its folder is synced, even if the content of the file is not.
 */
export class SimulatedDisk {
  private readonly root: string
  private readonly ignored: Ignored
  private readonly live = new Map<string, Entry>()
  private readonly durable = new Map<string, Entry>()
  private names: NameChange[] = []
  private count = 0

  /** @param options.content the folder with the synced content at the beginning, by default `root` itself */
  constructor(root: string, { content = root, ignored = 'none' }: { content?: string; ignored?: Ignored } = {}) {
    this.root = root
    this.ignored = ignored
    this.load(content, root)
  }

  private load(from: string, path: string): void {
    const entry: Entry = statSync(from).isDirectory() ? 'folder' : newFile(readFileSync(from))
    this.live.set(path, entry)
    this.durable.set(path, entry)
    if (entry === 'folder') for (const name of readdirSync(from)) this.load(join(from, name), join(path, name))
  }

  apply(operation: Operation): void {
    this.count += 1
    if (operation.kind === 'send') return
    const { path } = operation
    const entry = this.live.get(path)
    switch (operation.kind) {
      case 'create':
        if (entry === undefined) this.rename([[path, newFile(Buffer.alloc(0))]])
        break
      case 'mkdir':
        this.rename([[path, 'folder']])
        break
      case 'unlink':
        this.rename([[path, undefined]])
        break
      case 'link':
        this.rename([[operation.to, entry]])
        break
      case 'rename':
        this.rename([
          [operation.to, entry],
          [path, undefined],
        ])
        break
      case 'sync':
        this.sync(path, entry, operation.begun)
        break
      case 'write':
      case 'truncate':
        // The file may be deleted.
        if (typeof entry === 'object') this.change(entry, operation)
        break
      default:
        operation satisfies never
    }
  }

  private rename(entries: NameChange['entries']): void {
    for (const [path, entry] of entries) this.live.set(path, entry)
    this.names.push({ at: this.count, entries })
  }

  private change(file: File, operation: Extract<Operation, { kind: 'write' | 'truncate' }>): void {
    if (operation.kind === 'write') {
      const { offset = file.length, data } = operation
      file.pending.push({ at: this.count, offset, data })
      file.length = Math.max(file.length, offset + data.length)
    } else {
      file.length = operation.length
      file.pending.push({ at: this.count, length: file.length })
    }
  }

  private sync(path: string, entry: Entry, begun: number): void {
    if (entry === 'folder') {
      if (this.ignored === 'folders') return
      const isCovered = (change: NameChange): boolean =>
        change.at <= begun && change.entries.some(([name]) => dirname(name) === path)
      for (const { entries } of this.names.filter(isCovered)) {
        for (const [name, of] of entries) this.durable.set(name, of)
      }
      this.names = this.names.filter((change) => !isCovered(change))
    } else if (entry && this.ignored !== 'files') {
      const covered = entry.pending.filter(({ at }) => at <= begun)
      entry.synced = applyAll(entry.synced, covered)
      entry.pending = entry.pending.filter(({ at }) => at > begun)
    }
  }

  cut(target: string, leaves: Leaves, random: Random): void {
    const keeps = (): boolean => leaves === 'everything' || (leaves === 'a part' && random.chance(0.5))
    const entries = new Map(this.durable)
    for (const change of this.names) if (keeps()) for (const [path, entry] of change.entries) entries.set(path, entry)
    // In this order, folders precede their contents.
    for (const path of [...entries.keys()].toSorted()) {
      const entry = entries.get(path)
      const copy = join(target, path.slice(this.root.length))
      if (entry === undefined || !existsSync(dirname(copy))) continue
      if (entry === 'folder') mkdirSync(copy, { recursive: true })
      else writeFileSync(copy, applyAll(entry.synced, entry.pending.filter(keeps).flatMap(tear)))
    }

    function tear(change: Change): Change[] {
      if (!('data' in change) || leaves !== 'a part' || random.chance(0.8)) return [change]
      const { at, offset, data } = change
      const sectors = Array.from({ length: Math.ceil(data.length / SECTOR) }, (_, index) => index * SECTOR)
      return sectors
        .filter(keeps)
        .map((start) => ({ at, offset: offset + start, data: data.subarray(start, start + SECTOR) }))
    }
  }
}

function newFile(content: Buffer): File {
  return { synced: content, pending: [], length: content.length }
}

function applyAll(content: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) => ('data' in change ? change.offset + change.data.length : change.length))
  const room = Buffer.alloc(Math.max(content.length, ...ends))
  content.copy(room)
  let { length } = content
  for (const change of changes) {
    if ('data' in change) {
      change.data.copy(room, change.offset)
      length = Math.max(length, change.offset + change.data.length)
    } else {
      if (change.length < length) room.fill(0, change.length, length)
      length = change.length
    }
  }
  return Buffer.from(room.subarray(0, length))
}

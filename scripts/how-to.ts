import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Block {
  language: string
  file?: string
  /** The object in a JSON file to which the text adds entries. */
  key?: string
  text: string
}

/** Reads the blocks of code that tell what to do, without the indentation of lists. */
export function readBlocks(markdown: string): Block[] {
  return Array.from(
    markdown.matchAll(/^( *)```(\w+)(?: (\S+))?(?: (\S+))?\n([\s\S]*?)^\1```$/gm),
    ([, indentation = '', language = '', file, key, text = '']) => ({
      language,
      ...(file !== undefined && { file }),
      ...(key !== undefined && { key }),
      text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  ).filter(({ language, file }) => language === 'sh' || file !== undefined)
}

/** Applies a diff without line numbers. @throws Error if the text does not contain the old lines exactly once */
export function applyDiff(text: string, diff: string): string {
  const lines = diff.split('\n').slice(0, -1)
  const side = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const before = side('+')
  const parts = `\n${text}`.split(`\n${before}`)
  if (parts.length !== 2) throw new Error(`Not there exactly once:\n${before}`)
  return parts.join(`\n${side('-')}`).slice(1)
}

/** Follows a guide in a folder: writes files and runs commands, except tests. @throws Error if a step fails */
export function follow(guide: string, folder: string): void {
  for (const { language, file, key, text } of readBlocks(readFileSync(join(folder, guide), 'utf8'))) {
    if (file === undefined) {
      for (const command of text
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('npx vitest')))
        runIn(folder, command)
    } else {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(
        path,
        key === undefined && language !== 'diff' ? text : changed(readFileSync(path, 'utf8'), { key, text }),
      )
    }
  }
}

function changed(before: string, { key, text }: { key: string | undefined; text: string }): string {
  if (key === undefined) return applyDiff(before, text)
  const json = JSON.parse(before) as Record<string, object>
  return `${JSON.stringify({ ...json, [key]: { ...json[key], ...(JSON.parse(text) as object) } }, null, 2)}\n`
}

function runIn(folder: string, command: string): void {
  const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: 'inherit' })
  if (status !== 0) throw new Error(`Failed: ${command}`)
}

import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const MIN_BYTES = 500

const encodings = {
  br: promisify(brotliCompress),
  gz: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
}

/** Writes compressed copies beside the texts of a build, because the server does not compress. */
export function compression(): Plugin {
  return {
    name: 'compression',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = globSync('**/*.{html,css,js,svg}', { cwd: dir }).map((file) => join(dir, file))
      await Promise.all(files.map(compress))
    },
  }
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < MIN_BYTES) return
  for (const [extension, encode] of Object.entries(encodings)) {
    const encoded = await encode(content)
    if (encoded.length < content.length) await writeFile(`${file}.${extension}`, encoded)
  }
}

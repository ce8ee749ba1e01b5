import { readFileSync } from 'node:fs'
import { build, type Plugin, type Rolldown, runnerImport } from 'vite'

// What index.html says before the application does: docs/decisions/0019-what-loads-when.md.

interface Code {
  guest: Record<string, string[]>
  member: Record<string, string[]>
}

/**
 * Completes index.html: the head's script and, in a build, the style sheet, the icon and the outlines of the pages. What stands
 * there needs no request of its own.
 */
export function spaHtml(): Plugin {
  let styles = ''
  let mode = 'production'
  return {
    name: 'spa-html',
    configResolved: (config) => void (mode = config.mode),
    // Before Vite writes the files' names into the code and into index.html.
    generateBundle: { order: 'pre', handler: (_, bundle) => void (styles = takeStyles(bundle)) },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle, chunk }) {
        const code: Code = bundle && chunk ? findCode(bundle, chunk) : { guest: {}, member: {} }
        const head = await bundleHead(code, mode)
        const withHead = html.replace(/<!-- head:.*-->/, () => `<script>${head}</script>`)
        return bundle ? await complete(withHead, styles, code) : withHead
      },
    },
  }
}

/** What the route files need besides the entry. A route that is in the entry needs nothing. */
function findCode(bundle: Rolldown.OutputBundle, entry: Rolldown.OutputChunk): Code {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entryFiles = closure(entry.fileName)
  const layout = chunkOf('_layout.tsx')
  // These two pages are in the entry.
  const code: Code = { guest: { '/login': [] }, member: { '/': needed(layout) } }

  function closure(fileName: string): string[] {
    const file = bundle[fileName]
    return file?.type === 'chunk' ? [fileName, ...file.imports.flatMap(closure)] : []
  }

  function chunkOf(route: string): string {
    const isIt = (id: string) => id.endsWith(`/src/routes/${route}?tsr-split=component`)
    const found = chunks.find(({ moduleIds }) => moduleIds.some(isIt))
    if (!found) throw new Error(`No chunk has the component of src/routes/${route}`)
    return found.fileName
  }

  function needed(...files: string[]): string[] {
    const all = new Set(files.flatMap(closure))
    return [...all].filter((file) => !entryFiles.includes(file)).map((file) => `/${file}`)
  }

  for (const name of ['signup', 'recover-password', 'reset-password'])
    code.guest[`/${name}`] = needed(chunkOf(`_auth/${name}.tsx`))
  for (const name of ['items', 'users', 'settings'])
    code.member[`/${name}`] = needed(layout, chunkOf(`_layout/${name}.tsx`))
  return code
}

async function bundleHead(code: Code, mode: string): Promise<string> {
  const result = await build({
    configFile: false,
    mode,
    logLevel: 'error',
    resolve: { tsconfigPaths: true },
    define: { CODE: JSON.stringify(code) },
    build: {
      write: false,
      modulePreload: false,
      lib: { entry: 'src/html/head.ts', formats: ['iife'], name: 'head' },
    },
  })
  const [output] = [result].flat() as Rolldown.RolldownOutput[]
  return output?.output[0].code.trim() ?? ''
}

async function complete(html: string, styles: string, code: Code): Promise<string> {
  const { module } = await runnerImport<{ renderOutlines: (paths: string[]) => Promise<Record<string, string>> }>(
    '/src/html/outlines.tsx',
    { configFile: false, mode: 'production', logLevel: 'error', resolve: { tsconfigPaths: true } },
  )
  const outlines = await module.renderOutlines(Object.keys(code.guest))
  const templates = Object.entries(outlines).map(
    ([name, markup]) => `<template data-outline="${name}"><div inert>${markup}</div></template>`,
  )
  const place = `for (const template of document.querySelectorAll('template'))
      if (template.dataset.outline === document.documentElement.dataset.outline)
        document.getElementById('root').append(template.content)`
  const icon = readFileSync('public/favicon.svg', 'utf8').trim()
  return html
    .replace('<!-- outlines -->', () => `${templates.join('')}<script>${place}</script>`)
    .replace('href="/favicon.svg"', () => `href="data:image/svg+xml,${encodeURIComponent(icon)}"`)
    .replace('<!-- styles -->', () => `<style>${styles}</style>`)
}

/** The text of all style sheets. Their files are not written, and nothing asks for them. */
function takeStyles(bundle: Rolldown.OutputBundle): string {
  const names = new Set<string>()
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue
    for (const name of file.viteMetadata?.importedCss ?? []) names.add(name)
    file.viteMetadata?.importedCss.clear()
  }
  return [...names]
    .map((name) => {
      const file = bundle[name]
      delete bundle[name]
      return file?.type === 'asset' ? String(file.source) : ''
    })
    .join('')
}

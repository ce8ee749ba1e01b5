import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, normalizePath, type Plugin, type Rolldown, runnerImport } from 'vite'
import type { Screen } from '../src/lib/screens.ts'

// Builds index.html. docs/decisions/0019-what-loads-when.md gives the reasons.

type Files = Record<string, string[]>

type ImportsOf = (file: string) => readonly string[]

/** Adds the head script to index.html and, in a build, the style sheet, the icon and the prerendered pages. */
export function spaHtml(): Plugin {
  let styles = ''
  let mode = 'production'
  let importsOf: ImportsOf | undefined
  return {
    name: 'spa-html',
    configResolved: (config) => void (mode = config.mode),
    // Runs before Vite writes the names of files into the code and into index.html.
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        styles = takeStyles(bundle)
        importsOf = (file) => this.getModuleInfo(normalizePath(resolve(file)))?.dynamicallyImportedIds ?? []
        this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: manifest() })
      },
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle, chunk }) {
        const files = bundle && chunk && importsOf ? await filesByScreen(bundle, chunk, importsOf) : {}
        const head = await bundleHead(files, styles, mode)
        const withHead = html.replace(/<!-- head:.*-->/, () => `<script>${head}</script>`)
        return bundle ? await complete(withHead, styles, mode) : withHead
      },
    },
  }
}

async function filesByScreen(
  bundle: Rolldown.OutputBundle,
  entry: Rolldown.OutputChunk,
  importsOf: ImportsOf,
): Promise<Files> {
  const { module } = await runnerImport<{ screens: Record<string, Screen> }>('/src/lib/screens.ts', {
    logLevel: 'error',
    resolve: { tsconfigPaths: true },
  })
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entryFiles = closure(entry.fileName)

  function closure(fileName: string): string[] {
    const file = bundle[fileName]
    return file?.type === 'chunk' ? [fileName, ...file.imports.flatMap(closure)] : []
  }

  function filesOf(route: string): string[] {
    const imported = importsOf(`src/routes/${route}.tsx`)
    const found = chunks.filter(({ moduleIds }) => moduleIds.some((id) => imported.includes(id)))
    if (found.length === 0) throw new Error(`No chunk has the page of src/routes/${route}.tsx`)
    return found.flatMap(({ fileName }) => closure(fileName))
  }

  return Object.fromEntries(
    Object.entries(module.screens).map(([path, screen]) => {
      const all = new Set(routesOf(path, screen).flatMap(filesOf))
      return [path, [...all].filter((file) => !entryFiles.includes(file)).map((file) => `/${file}`)]
    }),
  )
}

function routesOf(path: string, screen: Screen): string[] {
  if (screen.access === 'guest') return [`_auth${path}`]
  return ['_layout', `_layout${path === '/' ? '/index' : path}`]
}

async function bundleHead(files: Files, styles: string, mode: string): Promise<string> {
  const [, font = ''] = /url\((\/assets\/[^)]+\.woff2)\)/.exec(styles) ?? []
  const result = await build({
    configFile: false,
    mode,
    logLevel: 'error',
    resolve: { tsconfigPaths: true },
    define: {
      FILES: JSON.stringify(files),
      FONT: JSON.stringify(font),
      BACKGROUNDS: JSON.stringify(backgrounds()),
    },
    build: {
      write: false,
      modulePreload: false,
      lib: { entry: 'src/html/head.ts', formats: ['iife'], name: 'head' },
    },
  })
  const [output] = [result].flat() as Rolldown.RolldownOutput[]
  return output?.output[0].code.trim() ?? ''
}

function backgrounds(): Record<'light' | 'dark', string> {
  const pair = /--color-background: light-dark\((oklch\(.+?\)), (oklch\(.+?\))\)/
  const [, light = '', dark = ''] = pair.exec(readFileSync('src/index.css', 'utf8')) ?? []
  return { light, dark }
}

function manifest(): string {
  return JSON.stringify({
    name: process.env.VITE_APP_NAME,
    start_url: '/',
    display: 'standalone',
    background_color: backgrounds().light,
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' },
    ],
  })
}

async function complete(html: string, styles: string, mode: string): Promise<string> {
  const pages = await prerender(mode)
  const templates = Object.entries(pages).map(([name, markup]) => `<template data-name="${name}">${markup}</template>`)
  const place = `for (const template of document.querySelectorAll('template'))
      if (template.dataset.name === document.documentElement.dataset.prerendered)
        document.getElementById('root').append(template.content)
    const company = document.querySelector('#root [data-company]')
    if (company) company.textContent = document.documentElement.dataset.company`
  const icon = readFileSync('public/favicon.svg', 'utf8').trim()
  return html
    .replace('<!-- prerendered pages -->', () => `${templates.join('')}<script>${place}</script>`)
    .replace('href="/favicon.svg"', () => `href="data:image/svg+xml,${encodeURIComponent(icon)}"`)
    .replace('<!-- styles -->', () => `<style>${styles}</style>`)
}

/** Renders in a simulated browser. React cannot hydrate the router's server rendering without a server. */
async function prerender(mode: string): Promise<Record<string, string>> {
  const outDir = 'node_modules/.cache/steward/prerender'
  await build({
    configFile: false,
    mode,
    logLevel: 'error',
    publicDir: false,
    resolve: { tsconfigPaths: true },
    ssr: { noExternal: true, resolve: { conditions: ['browser', 'module', 'import', 'default'] } },
    build: { ssr: 'src/html/prerender.tsx', outDir, emptyOutDir: true },
  })
  // A separate process, because timers of the simulated browser would keep this one alive.
  const program = `import { prerender } from './${outDir}/prerender.js'
    process.stdout.write(JSON.stringify(await prerender()), () => process.exit())`
  const pages = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  return JSON.parse(pages) as Record<string, string>
}

function takeStyles(bundle: Rolldown.OutputBundle): string {
  let styles = ''
  for (const [name, file] of Object.entries(bundle)) {
    if (file.type === 'chunk') file.viteMetadata?.importedCss.clear()
    else if (name.endsWith('.css')) {
      styles += String(file.source)
      delete bundle[name]
    }
  }
  return styles
}

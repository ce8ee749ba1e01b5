import { readFileSync, writeFileSync } from 'node:fs'
import { launchBrowser } from './find-browser.ts'

// Renders the bitmap icons in public/ from public/favicon.svg. Run this after a change of the logo.

const svg = readFileSync('public/favicon.svg', 'utf8')
const browser = await launchBrowser()
const page = await browser.newPage()

async function draw(picture: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size })
  const url = `data:image/svg+xml,${encodeURIComponent(picture)}`
  await page.setContent(
    `<body style="margin:0"><img src="${url}" width="${size}" height="${size}" style="display:block">`,
  )
  return page.screenshot({ omitBackground: true })
}

/** Makes an ICO file from one PNG, which Windows supports since Vista. */
function toIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}

writeFileSync('public/favicon.ico', toIco(await draw(svg, 32), 32))
// Phones round the corners themselves.
writeFileSync('public/apple-touch-icon.png', await draw(svg.replace(' rx="8"', ''), 180))
await browser.close()

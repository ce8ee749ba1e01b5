import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

// npm run release -- [--image NAME] [--dry-run] tags the version of package.json and builds its image. It publishes the
// image as NAME, or else writes an archive. Without Docker Buildx, it prints the command to build.

const platforms = 'linux/amd64,linux/arm64'

const { values: options } = parseArgs({ options: { image: { type: 'string' }, 'dry-run': { type: 'boolean' } } })
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string }
const tag = `v${version}`

try {
  requireReleasable()
  const isTagged = git('tag', '--list', tag) !== ''
  if (isTagged && git('rev-list', '-n', '1', tag) !== git('rev-parse', 'HEAD'))
    throw new Error(`${tag} is the tag of another commit: set a new version in package.json`)
  if (!isTagged) run('git', 'tag', '--annotate', tag, '--message', `${name} ${version}`)
  buildImage()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function requireReleasable(): void {
  if (git('status', '--porcelain') !== '') throw new Error('Commit or stash all changes first')
  if (!readFileSync('CHANGELOG.md', 'utf8').includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has no heading “## [${version}]”`)
}

function buildImage(): void {
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? ''
  const hasEngine = spawnSync('docker', ['buildx', 'inspect'], { stdio: 'ignore' }).status === 0
  const digest = hasEngine
    ? capture('docker', 'buildx', 'imagetools', 'inspect', base, '--format', '{{.Manifest.Digest}}')
    : 'DIGEST'
  const target =
    options.image === undefined
      ? ['--tag', `${name}:${version}`, '--output', `type=oci,dest=${name}-${version}.tar`]
      : ['--tag', `${options.image}:${version}`, '--tag', `${options.image}:latest`, '--push']
  const about = ['--build-arg', `NODE_IMAGE=${base}@${digest}`, '--sbom=true', '--provenance=true']
  const args = ['buildx', 'build', '--platform', platforms, ...about, ...target, '.']
  if (hasEngine) run('docker', ...args)
  else console.log(`No Docker Buildx here. Where there is one, with the digest of ${base}:\n  docker ${args.join(' ')}`)
}

function run(command: string, ...args: string[]): void {
  console.log(`${options['dry-run'] ? 'Would run: ' : ''}${command} ${args.join(' ')}`)
  if (!options['dry-run']) execFileSync(command, args, { stdio: 'inherit' })
}

function capture(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' }).trim()
}

function git(...args: string[]): string {
  return capture('git', ...args)
}

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

function newProject() {
  const folder = mkdtempSync(join(tmpdir(), 'steward-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // This PATH has only git, so no container engine is found.
  const bin = mkdtempSync(join(tmpdir(), 'steward-bin-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(bin, 'git'))
  const run = (command: string, ...args: string[]) => {
    const env = { PATH: bin, HOME: folder }
    const { stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env })
    return stdout + stderr
  }
  const release = (...args: string[]) => run(process.execPath, resolve('scripts/release.ts'), ...args)
  const commit = () => {
    run('git', 'add', '-A')
    run('git', 'commit', '-qm', 'All')
  }
  run('git', 'init', '-q')
  run('git', 'config', 'user.name', 'Test')
  run('git', 'config', 'user.email', 'test@example.com')
  cpSync('Dockerfile', join(folder, 'Dockerfile'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'steward', version: '1.2.3', type: 'module' }))
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n')
  commit()
  return { folder, run, release, commit }
}

test('a release needs a clean work tree, a part of the changelog and a new version', () => {
  const { folder, run, release, commit } = newProject()
  expect(release()).toBe('CHANGELOG.md has no heading “## [1.2.3]”\n')
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [1.2.3] - 2026-01-01\n')
  expect(release()).toBe('Commit or stash all changes first\n')
  commit()
  expect(release('--dry-run')).toMatch(/^Would run: git tag --annotate v1\.2\.3 /)
  expect(run('git', 'tag')).toBe('')
  release()
  expect(run('git', 'tag')).toBe('v1.2.3\n')
  release()
  writeFileSync(join(folder, 'more'), '')
  commit()
  expect(release()).toBe('v1.2.3 is the tag of another commit: set a new version in package.json\n')
})

test('without Docker Buildx, the command that builds and publishes is printed', () => {
  const { folder, release, commit } = newProject()
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [1.2.3] - 2026-01-01\n')
  commit()
  const printed = release('--image', 'images.example.com/steward')
  expect(printed).toContain('docker buildx build --platform linux/amd64,linux/arm64 --build-arg NODE_IMAGE=node:')
  expect(printed).toContain('--tag images.example.com/steward:1.2.3 --tag images.example.com/steward:latest --push')
})

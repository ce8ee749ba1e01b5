import { execFileSync, type ExecFileSyncOptions, spawnSync } from 'node:child_process'

export function pathOf(command: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', command], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Installs a Debian package if the user is root and apt exists. @returns whether it tried to */
export function installWithApt(packageName: string): boolean {
  if (process.getuid?.() !== 0 || pathOf('apt-get') === undefined) return false
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', packageName], options)
  return true
}

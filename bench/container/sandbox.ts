import { spawn } from 'node:child_process'
import { access, chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const user = { name: 'node', id: '1000' }

/** A root file system in a folder, which borrows the programs of this machine and the Node that runs this script. */
export async function makeRoot(root: string): Promise<void> {
  for (const folder of ['etc', 'opt/node', 'usr', 'root/.npm', 'tmp', 'proc', 'dev']) await mkdir(join(root, folder), { recursive: true })
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${folder}`, join(root, folder))
  await writeFile(join(root, 'etc/passwd'), `root:x:0:0::/root:/bin/sh\n${user.name}:x:${user.id}:${user.id}::/tmp:/bin/sh\n`)
  await writeFile(join(root, 'etc/group'), `root:x:0:\n${user.name}:x:${user.id}:\n`)
  await chmod(join(root, 'tmp'), 0o777)
}

export interface SandboxOptions {
  readonly root: string
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** As root with a writable root file system, or as the user of the image with a read-only one, in which these folders can be written. */
  readonly writable: 'everything' | readonly string[]
}

/** The arguments of bwrap for a command in a root file system. The network is that of this machine. */
async function sandboxed({ root, directory, env, writable }: SandboxOptions, command: readonly string[]): Promise<string[]> {
  const isBuild = writable === 'everything'
  const shared = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl', ...(isBuild ? [join(homedir(), '.npmrc')] : [])]
  const mounts: string[] = [isBuild ? '--bind' : '--ro-bind', root, '/', '--ro-bind', '/usr', '/usr']
  mounts.push('--ro-bind', dirname(process.execPath), '/opt/node', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp')
  for (const path of shared) if (await exists(path)) mounts.push('--ro-bind', path, path)
  if (isBuild) mounts.push('--bind', join(homedir(), '.npm'), '/root/.npm')
  else for (const folder of writable) mounts.push('--bind', join(root, folder), folder)
  const home = isBuild ? '/root' : '/tmp'
  const variables = Object.entries({ PATH: '/opt/node:/usr/local/bin:/usr/bin:/bin', HOME: home, ...env })
  const as = isBuild
    ? []
    : ['setpriv', `--reuid=${user.id}`, `--regid=${user.id}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  return [
    ...mounts,
    // In a container the command is process 1.
    '--unshare-pid',
    '--as-pid-1',
    '--die-with-parent',
    '--info-fd',
    '3',
    '--chdir',
    directory,
    ...(isBuild ? [] : ['--clearenv']),
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    ...as,
    ...command,
  ]
}

/** Runs a command to its end. */
export async function runInside(options: SandboxOptions, command: readonly string[]): Promise<string> {
  const { output, ended } = await startInside(options, command)
  const code = await ended
  if (code !== 0) throw new Error(`"${command.join(' ')}" ended with ${code}:\n${output()}`)
  return output()
}

export interface InsideProcess {
  /** What it has written so far. */
  output(): string
  /** Its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>
  terminate(): void
}

export async function startInside(options: SandboxOptions, command: readonly string[]): Promise<InsideProcess> {
  const child = spawn('bwrap', await sandboxed(options, command), { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const texts = { output: '', info: '' }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (texts.output += chunk.toString()))
  child.stdio[3]?.on('data', (chunk: Buffer) => (texts.info += chunk.toString()))
  const { promise, resolve, reject } = Promise.withResolvers<number | string>()
  child.on('error', reject)
  child.on('close', (code, signal) => resolve(code ?? signal ?? 'nothing'))
  return {
    output: () => texts.output,
    ended: promise,
    terminate() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const pid = /"child-pid": (\d+)/.exec(texts.info)?.[1]
      if (pid === undefined) child.kill('SIGKILL')
      else process.kill(Number(pid), 'SIGTERM')
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '@millrace/server'
import { openDatabaseGateway } from '@millrace/server/testing/database-gateway'
import { type Instruction, readDockerfile, stagesOf } from './container/read-dockerfile.ts'
import { makeRoot, runInside, type SandboxOptions, startInside } from './container/sandbox.ts'
import { useServer } from './container/use-server.ts'
import { freePort } from './free-port.ts'

// "npm run container": follows the Dockerfile without a container engine. Its steps run in folders that bubblewrap makes the root file system,
// and the image's command then runs as its user with a read-only root file system. The base image is not pulled: its Node and its
// programs are those of this machine.
const project = fileURLToPath(new URL('../', import.meta.url))
const missing = ['bwrap', 'setpriv'].filter((program) => spawnSync(program, ['--version']).error !== undefined)
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error(`Run this as root on Linux with ${missing.join(' and ') || 'bwrap and setpriv'} (Debian: bubblewrap, util-linux).`)
  process.exit(1)
}

const work = await mkdtemp(join(tmpdir(), 'millrace-container-'))
try {
  const stages = stagesOf(readDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8')))
  const roots = new Map<string, string>()
  let image: SandboxOptions | undefined
  let last: readonly Instruction[] = []
  for (const [index, { name, instructions }] of stages.entries()) {
    const root = join(work, String(index))
    roots.set(name, root)
    await makeRoot(root)
    image = await follow(instructions, root, roots)
    last = instructions
  }
  if (image === undefined) throw new Error('The Dockerfile has no stage.')
  await tryOut(image, last)
} finally {
  await rm(work, { recursive: true, force: true })
}

/** Follows one stage, and returns what its command runs with. */
async function follow(instructions: readonly Instruction[], root: string, roots: ReadonlyMap<string, string>): Promise<SandboxOptions> {
  let directory = '/'
  const env: Record<string, string> = {}
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') await mkdir(join(root, (directory = text)), { recursive: true })
    else if (name === 'ENV') for (const [, key, value] of text.matchAll(/(\w+)=(\S+)/g)) env[key ?? ''] = value ?? ''
    else if (name === 'COPY') await copy(text, join(root, directory), root, roots)
    else if (name === 'RUN') {
      const start = performance.now()
      await runInside({ root, directory, env, writable: 'everything' }, ['sh', '-c', text])
      console.log(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${text}`)
    } else if (!['USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'].includes(name))
      throw new Error(`The Dockerfile has an instruction that this script does not know: ${name}.`)
  }
  return { root, directory, env, writable: textsOf('VOLUME', instructions) }
}

async function copy(text: string, target: string, root: string, roots: ReadonlyMap<string, string>): Promise<void> {
  const [, stage, source, destination] = /^--from=(\S+) (\S+) (\S+)$/.exec(text) ?? []
  if (stage !== undefined)
    return cp(join(roots.get(stage) ?? '', source ?? ''), join(root, destination ?? ''), { recursive: true, verbatimSymlinks: true })
  if (text !== '. .') throw new Error(`This script does not know how to follow COPY ${text}.`)
  // The files of the repository: what .dockerignore leaves out is not among them.
  const copied = spawnSync('sh', ['-c', 'git ls-files -z | tar --null --files-from=- -c | tar -x -C "$0"', target], {
    cwd: project,
    encoding: 'utf8',
  })
  if (copied.status !== 0) throw new Error(`The sources were not copied:\n${copied.stderr}`)
}

/** Starts the image beside a PostgreSQL, waits until its health check passes, uses it, and stops it. */
async function tryOut(image: SandboxOptions, instructions: readonly Instruction[]): Promise<void> {
  if (textsOf('USER', instructions).at(-1) !== 'node') throw new Error('The image does not run as the user node.')
  const home = await mkdtemp(join(tmpdir(), 'millrace-container-pg-'))
  const postgres = await startEmbedded({ home, randomBytes })
  await using gateway = await openDatabaseGateway(postgres.url)
  const { settings, secrets } = gateway
  const database = `postgresql://${settings.username}:${encodeURIComponent(secrets.password)}@${settings.host}:${settings.port}/${settings.database}`
  const port = await freePort()
  const options = { ...image, env: { ...image.env, PORT: String(port), DATABASE_URL: database, MILLRACE_REGISTRATION: 'invite' } }
  const command = ['ENTRYPOINT', 'CMD'].flatMap((name) => listOf(textsOf(name, instructions).at(-1)))
  const server = await startInside(options, command)
  try {
    const probe = listOf(/CMD (\[.*\])$/.exec(textsOf('HEALTHCHECK', instructions).at(-1) ?? '')?.[1])
    const seconds = await untilHealthy(options, probe, server.ended)
    console.log(`${seconds.toFixed(0).padStart(4)} s  until the health check passes`)
    await useServer(`http://127.0.0.1:${port}`, () => server.output())
    server.terminate()
    const code = await Promise.race([server.ended, after(30_000)])
    if (code !== 0) throw new Error(`On SIGTERM the server ended with ${code ?? 'nothing within 30 s'}.`)
    console.log('The image runs as an unprivileged user on a read-only root file system, runs a workflow, and stops on SIGTERM.')
  } catch (error) {
    console.error(server.output())
    throw error
  } finally {
    server.terminate()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function untilHealthy(options: SandboxOptions, probe: readonly string[], ended: Promise<number | string>): Promise<number> {
  const start = performance.now()
  for (;;) {
    const check = await startInside(options, probe)
    if ((await check.ended) === 0) return (performance.now() - start) / 1000
    if (performance.now() - start > 120_000) throw new Error('The health check did not pass within 120 s.')
    const state = await Promise.race([ended, after(500)])
    if (state !== undefined) throw new Error(`The server ended with ${state} before its health check passed.`)
  }
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref())
}

function textsOf(name: string, instructions: readonly Instruction[]): string[] {
  return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text)
}

/** A command in the JSON form of a Dockerfile. */
function listOf(json: string | undefined): string[] {
  const list: unknown = JSON.parse(json ?? '[]')
  if (!Array.isArray(list)) throw new Error(`Write the command as a list: ${json ?? ''}`)
  return list.map(String)
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { fiveSets, threeCalls } from './definitions.ts'
import { load } from './load.ts'
import { describeMachine } from './machine.ts'
import { startBenchServer } from './server.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run bench:profile [sets|calls] [seconds] [folder]`: the processor time of the server under the load of 32 connections, by file and
 * by function, as self time. The optional folder receives the profile for the developer tools of a browser.
 */
const kind = process.argv[2] ?? 'sets'
const durationMs = Number(process.argv[3] ?? 8) * 1000
const kept = process.argv[4]
const shown = 25

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly children?: readonly number[]
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

await using running = new AsyncDisposableStack()
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'millrace-bench-profile-')))
if (kept === undefined) running.defer(() => rm(folder, { recursive: true, force: true }))
const standIn = await startChild('stand-in.ts', [], {}, /port (\d+)/)
running.defer(() => standIn.stop())
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
const server = await startBenchServer(database.url, { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` })
const path = `/api/v1/execute/${await server.create(kind === 'calls' ? threeCalls(Number(standIn.line)) : fiveSets)}/run`
const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.token}` }
const ask = (ms: number) => load({ port: server.port, path, headers, body: '{"input":{"n":1}}', connections: 32, durationMs: ms })
await ask(2_000)
// All processes of a machine share this clock, and V8 writes it into profiles, in microseconds.
const beganAt = Number(process.hrtime.bigint() / 1000n)
const { perSecond, answers } = await ask(durationMs)
const endedAt = Number(process.hrtime.bigint() / 1000n)
await server.stop()

process.stdout.write(`${describeMachine()}\n${kind}: ${Math.round(perSecond)}/s while it was profiled\n`)
const self = selfTimes(await longest(folder))
const busy = self.filter(({ where }) => where !== '(idle)' && where !== '(program)')
const total = busy.reduce((sum, { ms }) => sum + ms, 0)
process.stdout.write(`busy ${Math.round(total)} ms, ${(total / answers).toFixed(3)} ms an execution\n`)
print(
  'by package or folder, with what Node and V8 do for it',
  summed(busy, ({ caller }) => folderOf(caller)),
)
print(
  'by file',
  summed(busy, ({ file }) => file),
)
print(
  'by function',
  summed(busy, ({ where }) => where),
)

interface Self {
  readonly file: string
  readonly where: string
  /** The nearest file above that is not part of Node, or the file itself. */
  readonly caller: string
  readonly ms: number
}

/** Threads of the server write profiles too; the one with the most work is the main thread. */
async function longest(where: string): Promise<Profile> {
  const names = (await readdir(where)).filter((name) => name.endsWith('.cpuprofile'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by Node in the format of its developer tools.
  const profiles = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(where, name), 'utf8')) as Profile))
  const [first] = profiles.toSorted((one, other) => busyOf(other) - busyOf(one))
  if (first === undefined) throw new Error(`the server has left no profile in ${where}`)
  return first
}

function busyOf(profile: Profile): number {
  return selfTimes(profile).reduce((sum, { where, ms }) => (where === '(idle)' ? sum : sum + ms), 0)
}

/** The part during the load, because a start spends more than a second on compilation. */
function selfTimes({ nodes, startTime, samples, timeDeltas }: Profile): readonly Self[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const callerOf = (id: number, file: string): string => {
    for (let above: number | undefined = id; above !== undefined; above = parents.get(above)) {
      const url = frames.get(above)?.url ?? ''
      if (url !== '' && !url.startsWith('node:') && !url.startsWith('wasm:')) return fileOf(url)
    }
    return file
  }
  const times = new Map<number, number>()
  let at = startTime
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    at += delta
    if (at >= beganAt && at <= endedAt) times.set(id, (times.get(id) ?? 0) + delta / 1000)
  }
  return [...times].map(([id, ms]) => {
    const frame = frames.get(id)
    const name = frame?.functionName === '' ? '(anonymous)' : (frame?.functionName ?? '(unknown)')
    const file = frame === undefined || frame.url === '' ? name : fileOf(frame.url)
    return { file, where: file === name ? name : `${name} ${file}:${(frame?.lineNumber ?? 0) + 1}`, caller: callerOf(id, file), ms }
  })
}

function fileOf(url: string): string {
  return url.replace(/^.*\/node_modules\//, '').replace(/^.*\/packages\//, 'packages/')
}

/** `packages/engine/src/core`, `pg`, `node:net`. */
function folderOf(file: string): string {
  const parts = file.split('/')
  if (file.startsWith('packages/')) return parts.slice(0, Math.min(5, parts.length - 1)).join('/')
  if (file.startsWith('node:')) return file
  return parts.slice(0, file.startsWith('@') ? 2 : 1).join('/')
}

function summed(times: readonly Self[], key: (time: Self) => string): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const time of times) sums.set(key(time), (sums.get(key(time)) ?? 0) + time.ms)
  return [...sums].toSorted(([, one], [, other]) => other - one).slice(0, shown)
}

function print(title: string, rows: readonly (readonly [string, number])[]): void {
  process.stdout.write(`\n${title}\n`)
  for (const [name, ms] of rows) process.stdout.write(`${((ms / total) * 100).toFixed(1).padStart(6)} %  ${name}\n`)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { BoundaryName } from '#durable/ports/boundary.ts'
import type { Kill } from './history.ts'
import { openProxy, type Proxy } from './proxy.ts'
import { workerEnvironment } from './worker-environment.ts'
import type { WorkerCommand, WorkerLine } from './worker-lines.ts'

const script = fileURLToPath(new URL('./ledger-worker.ts', import.meta.url))
/** Delay before a worker is started again that could not start, for example without a database. */
const RESPAWN_MS = 200

/** One worker process, and its proxy to the database. */
export interface RunningWorker {
  readonly pid: number
  readonly spawnedAtMs: number
  readonly proxy: Proxy
  readonly ready: boolean
  send(command: WorkerCommand): void
  /** Kills it. Resolves after its end. */
  kill(): Promise<void>
  /** Kills it at a boundary, or anywhere if it does not reach the boundary in time. */
  dieAt(boundary: BoundaryName, timeoutMs: number): Promise<void>
}

export interface WorkerPool {
  /** The workers that accept commands now. */
  ready(): readonly RunningWorker[]
  /** Every process that was killed, in order. */
  readonly kills: readonly Kill[]
  /** Processes that ended without being killed. */
  readonly deaths: readonly string[]
  close(): Promise<void>
}

export interface WorkerPoolDeps {
  readonly count: number
  /** The socket of PostgreSQL. */
  readonly socket: string
  /** The connection string through a local port. */
  readonly urlAt: (port: number) => string
  readonly seed: number
  /** Receives every line of a worker. */
  readonly onLine: (worker: RunningWorker, line: WorkerLine) => void
  /** Called after the end of a worker, so that its unacknowledged commands can be repeated. */
  readonly onEnd: (worker: RunningWorker) => void
}

/** Keeps `count` processes running and replaces killed ones. */
export async function openWorkerPool(deps: WorkerPoolDeps): Promise<WorkerPool> {
  const proxies = await Promise.all(Array.from({ length: deps.count }, () => openProxy(deps.socket)))
  const running = new Set<RunningWorker>()
  const kills: Kill[] = []
  const deaths: string[] = []
  let closing = false

  function begin(proxy: Proxy): void {
    const spawnedAtMs = Date.now()
    const child = spawn(process.execPath, [script, deps.urlAt(proxy.port), String(deps.seed)], {
      env: workerEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // The streams end after the exit; the last lines must not be missed.
    const exited = once(child, 'close')
    let ready = false
    let killedAtMs: number | undefined
    let place = 'anywhere'
    let errors = ''
    // Commands that a dead process did not read are repeated to another one.
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-4_000)))
    createInterface({ input: child.stdout }).on('line', (text) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The worker writes these lines.
      const line = JSON.parse(text) as WorkerLine
      if (line.say === 'ready') ready = true
      if (line.say === 'dying') {
        killedAtMs ??= Date.now()
        place = line.at
      }
      deps.onLine(worker, line)
    })
    const worker: RunningWorker = {
      pid: child.pid ?? 0,
      spawnedAtMs,
      proxy,
      get ready() {
        return ready && killedAtMs === undefined && child.exitCode === null
      },
      send: (command) => void child.stdin.write(`${JSON.stringify(command)}\n`),
      async kill() {
        killedAtMs ??= Date.now()
        child.kill('SIGKILL')
        await exited
      },
      async dieAt(boundary, timeoutMs) {
        worker.send({ do: 'die', at: boundary })
        const timer = setTimeout(() => void worker.kill(), timeoutMs)
        await exited
        clearTimeout(timer)
      },
    }
    running.add(worker)
    void exited.then(([code, signal]: unknown[]) => {
      running.delete(worker)
      if (closing) return
      if (signal === 'SIGKILL') kills.push({ pid: worker.pid, spawnedAtMs, atMs: killedAtMs ?? Date.now(), place })
      else if (ready) deaths.push(`process ${worker.pid} ended by itself (${String(signal ?? code)}): ${errors}`)
      deps.onEnd(worker)
      setTimeout(() => (closing ? undefined : begin(proxy)), signal === 'SIGKILL' ? 0 : RESPAWN_MS)
    })
  }

  for (const proxy of proxies) begin(proxy)
  return {
    ready: () => [...running].filter((worker) => worker.ready),
    kills,
    deaths,
    async close() {
      closing = true
      await Promise.all([...running].map((worker) => worker.kill()))
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

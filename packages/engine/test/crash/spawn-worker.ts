import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { workerEnvironment } from './worker-environment.ts'

const script = fileURLToPath(new URL('./worker.ts', import.meta.url))

export interface WorkerEnd {
  readonly acknowledged: readonly string[]
  readonly warnings: readonly string[]
  /** Whether it killed itself at the given boundary. */
  readonly killed: boolean
  /** Number of boundaries that it had passed when all executions had ended. */
  readonly idleAt: number | undefined
  readonly output: string
}

/** Runs a worker of a crash test until it dies, until all executions have ended, or until `timeoutMs` have passed. */
export async function spawnWorker(args: readonly string[], timeoutMs: number): Promise<WorkerEnd> {
  const worker = spawn(process.execPath, [script, ...args], { env: workerEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let finished = false
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    // SIGKILL instead of a shutdown: an idle process must be expendable as well.
    if (!finished && /^IDLE /m.test(output)) {
      finished = true
      worker.kill('SIGKILL')
    }
  }
  worker.stdout.on('data', read)
  worker.stderr.on('data', read)
  const timer = setTimeout(() => worker.kill('SIGTERM'), timeoutMs)
  // The streams end after the exit; the last lines must not be missed.
  const [, signal] = await once(worker, 'close')
  clearTimeout(timer)
  const idle = /^IDLE (\d+)/m.exec(output)
  return {
    acknowledged: [...output.matchAll(/^ACK (\S+)/gm)].map(([, id = '']) => id),
    warnings: [...output.matchAll(/^WARN .*/gm)].map(([line]) => line),
    killed: !finished && signal === 'SIGKILL',
    idleAt: idle === null ? undefined : Number(idle[1]),
    output,
  }
}

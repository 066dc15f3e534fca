import { parentPort, workerData } from 'node:worker_threads'
import { createSandbox } from './sandbox.ts'
import type { ScriptRun, WorkerMessage, WorkerSetup } from './messages.ts'

/** The thread that runs scripts, one at a time. It has nothing but a port to the pool that started it. */

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The pool gives exactly this, see worker.ts.
const { wasm, limits } = workerData as WorkerSetup
const runScript = createSandbox({ wasm, limits, nowMs: () => performance.now() })

parentPort?.on('message', (run: ScriptRun) => {
  void runScript(run).then(say, (error: unknown) => say({ kind: 'crashed', reason: String(error) }))
})
say({ kind: 'ready' })

function say(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread's port has no origin.
  parentPort?.postMessage(message)
}

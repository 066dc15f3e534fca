import { workerData } from 'node:worker_threads'
import { performJobs } from '#threads/perform-jobs.ts'
import type { WorkerSetup } from './messages.ts'
import { createSandbox } from './sandbox.ts'

/** The thread that runs scripts, one at a time. It has nothing but a port to the pool that started it. */

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The pool gives exactly this, see pool.ts.
const { wasm, limits } = workerData as WorkerSetup
performJobs(createSandbox({ wasm, limits, processorMs }))

/** Processor time of this thread, so that a busy machine takes none from a script. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

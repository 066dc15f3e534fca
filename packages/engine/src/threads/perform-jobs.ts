import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from './thread.ts'

/** Lower than the thread that serves requests, so that this one gets the processor first. */
const NICENESS = 10

/** In a thread of `startThread`: performs the jobs that it receives, one at a time, and sends the outcome of each. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The port carries anything; the pool that sends it says what.
export function performJobs<Job>(perform: (job: Job) => unknown): void {
  lowerPriority()
  parentPort?.on('message', (job: Job) => {
    void answer(job, perform).then(send)
  })
  send({ kind: 'ready' })
}

async function answer<Job>(job: Job, perform: (job: Job) => unknown): Promise<ThreadMessage<unknown>> {
  try {
    return { kind: 'outcome', outcome: await perform(job) }
  } catch (error) {
    return { kind: 'crashed', reason: String(error) }
  }
}

function send(message: ThreadMessage<unknown>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread's port has no origin.
  parentPort?.postMessage(message)
}

/** On Linux a priority belongs to the thread that sets it (setpriority(2), "C library/kernel differences"); elsewhere to the process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // A sandbox may forbid it. Jobs are performed all the same.
  }
}

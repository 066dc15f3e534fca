import { type Answers, replyTo, type WorkerCall, type WorkerReply } from '#src/workers/answer-calls.ts'
import { workerUrl } from '#src/workers/worker-url.ts'

/** A worker that answers calls in the order in which they are made. */
export interface StartedWorker {
  readonly call: <T>(name: string, argument: unknown) => Promise<T>
  readonly stop: () => void
}

interface OpenCall {
  readonly resolve: (value: never) => void
  readonly reject: (reason: Error) => void
}

/** What our workers do. */
export type WorkerName = 'document' | 'check' | 'decisions'

/** Starts one of our workers. */
export function startWorker(name: WorkerName): StartedWorker {
  const worker = new Worker(workerUrl(), { type: 'module', name })
  const open = new Map<number, OpenCall>()
  const state: { last: number; broken: Error | undefined } = { last: 0, broken: undefined }
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => {
    const call = open.get(data.id)
    open.delete(data.id)
    if ('failure' in data) call?.reject(new Error(data.failure))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The type of a reply belongs to the name of its call.
    else call?.resolve(data.value as never)
  })
  worker.addEventListener('error', () => {
    state.broken = new Error(`the worker ${name} ended`)
    for (const { reject } of open.values()) reject(state.broken)
    open.clear()
  })
  return {
    call: (callName, argument) =>
      new Promise((resolve, reject) => {
        if (state.broken !== undefined) {
          reject(state.broken)
          return
        }
        state.last += 1
        open.set(state.last, { resolve, reject })
        const message: WorkerCall = { id: state.last, name: callName, argument }
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker is its only receiver.
        worker.postMessage(message)
      }),
    stop: () => worker.terminate(),
  }
}

/** Answers calls in this thread, like a worker. */
export function callHere(load: () => Promise<Answers>): StartedWorker {
  return {
    async call(name, argument) {
      const reply = replyTo({ id: 0, name, argument }, await load())
      if ('failure' in reply) throw new Error(reply.failure)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The type of a reply belongs to the name of its call.
      return reply.value as never
    },
    stop: () => undefined,
  }
}

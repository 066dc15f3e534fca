/** A request to a worker, and its reply. */
export interface WorkerCall {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}
export type WorkerReply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failure: string }

/** The calls that a worker answers, by name. */
export type Answers = Readonly<Record<string, (argument: never) => unknown>>

/** Answers the calls of a page in a worker, one after the other, as soon as what answers them is loaded. */
export function answerCalls(load: () => Promise<Answers>): void {
  const answers = load()
  self.addEventListener('message', ({ data }: MessageEvent<WorkerCall>) => {
    void answers
      .then(
        (loaded) => replyTo(data, loaded),
        (error: unknown): WorkerReply => ({ id: data.id, failure: String(error) }),
      )
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- The page of a worker is its only receiver.
      .then((reply) => self.postMessage(reply))
  })
}

/** The reply to a call. */
export function replyTo({ id, name, argument }: WorkerCall, answers: Answers): WorkerReply {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The type of an argument belongs to the name of its call.
    return { id, value: answers[name]?.(argument as never) }
  } catch (error) {
    return { id, failure: String(error) }
  }
}

import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { JournalEntry, Progress, WaitChanges, Write } from '#durable/ports/journal.ts'

interface Accepted {
  readonly head: ExecutionHead
  /** When this process began to run it, which claims it with the commit. Undefined: the commit sends a job, and any process runs it. */
  readonly startedAtMs: number | undefined
}

/** A write buffer: it collects the changes of an execution for its next write, while the current one is under way. */
export interface Outbox {
  /** The number of changes so far; a gate compares it with the committed version. */
  readonly version: number
  readonly isDirty: boolean
  accept(accept: Accepted): void
  entry(entry: JournalEntry): void
  child(child: Accepted): void
  cancel(childId: string): void
  open(wait: Wait): void
  close(position: string): void
  consumed(messageId: string): void
  event(event: JsonObject): void
  reply(body: Json): void
  progress(progress: Progress): void
  take(): Write
}

interface Content {
  accept: Accepted | undefined
  readonly entries: JournalEntry[]
  readonly children: Accepted[]
  readonly cancels: string[]
  waits: { readonly opened: Wait[]; readonly closed: string[]; readonly consumed: string[] } | undefined
  readonly events: JsonObject[]
  reply: { readonly body: Json } | undefined
  progress: Progress | undefined
}

export function createOutbox(executionId: string, accountId: string): Outbox {
  return new OwnOutbox(executionId, accountId)
}

/** A class, so that all outboxes share one hidden class (machine.ts), and a change makes no closure. */
class OwnOutbox implements Outbox {
  version = 0
  readonly #executionId: string
  readonly #accountId: string
  #takenVersion = 0
  #content = empty()

  constructor(executionId: string, accountId: string) {
    this.#executionId = executionId
    this.#accountId = accountId
  }

  get isDirty(): boolean {
    return this.version !== this.#takenVersion
  }

  accept(accept: Accepted): void {
    this.#change().accept = accept
  }

  entry(entry: JournalEntry): void {
    this.#change().entries.push(entry)
  }

  child(child: Accepted): void {
    this.#change().children.push(child)
  }

  cancel(childId: string): void {
    this.#change().cancels.push(childId)
  }

  open(wait: Wait): void {
    this.#changeWaits().opened.push(wait)
  }

  close(position: string): void {
    this.#changeWaits().closed.push(position)
  }

  consumed(messageId: string): void {
    this.#changeWaits().consumed.push(messageId)
  }

  event(event: JsonObject): void {
    this.#change().events.push(event)
  }

  reply(body: Json): void {
    // The first reply counts.
    this.#change().reply ??= { body }
  }

  progress(progress: Progress): void {
    this.#change().progress = progress
  }

  take(): Write {
    const { accept, entries, children, cancels, waits, events, reply, progress } = this.#content
    this.#takenVersion = this.version
    this.#content = empty()
    const [executionId, accountId] = [this.#executionId, this.#accountId]
    return { executionId, accountId, accept, entries, children, cancels, waits, events, reply, progress }
  }

  #change(): Content {
    this.version += 1
    return this.#content
  }

  #changeWaits() {
    return (this.#change().waits ??= { opened: [], closed: [], consumed: [] } satisfies WaitChanges)
  }
}

function empty(): Content {
  return {
    accept: undefined,
    entries: [],
    children: [],
    cancels: [],
    waits: undefined,
    events: [],
    reply: undefined,
    progress: undefined,
  }
}

/** A write that accepts an execution and nothing else. */
export function acceptance(head: ExecutionHead): Write {
  return { executionId: head.id, accountId: head.accountId, ...empty(), accept: { head, startedAtMs: undefined } }
}

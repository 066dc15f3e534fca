import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { JournalEntry, Progress, WaitChanges, Write } from '#durable/ports/journal.ts'

interface Accepted {
  readonly head: ExecutionHead
  readonly startedAtMs: number | undefined
}

/** Collects the changes of an execution for its next write, while the current one is under way. */
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
  let version = 0
  let taken = 0
  let content = empty()

  function put(change: (into: Content) => void): void {
    change(content)
    version += 1
  }

  const waits = () => (content.waits ??= { opened: [], closed: [], consumed: [] } satisfies WaitChanges)

  return {
    get version() {
      return version
    },
    get isDirty() {
      return version !== taken
    },
    accept: (accept) => put((into) => (into.accept = accept)),
    entry: (entry) => put(({ entries }) => entries.push(entry)),
    child: (child) => put(({ children }) => children.push(child)),
    cancel: (childId) => put(({ cancels }) => cancels.push(childId)),
    open: (wait) => put(() => waits().opened.push(wait)),
    close: (position) => put(() => waits().closed.push(position)),
    consumed: (messageId) => put(() => waits().consumed.push(messageId)),
    event: (event) => put(({ events }) => events.push(event)),
    // The first reply counts.
    reply: (body) => put((into) => (into.reply ??= { body })),
    progress: (progress) => put((into) => (into.progress = progress)),
    take() {
      const write: Write = { executionId, accountId, ...content }
      taken = version
      content = empty()
      return write
    },
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

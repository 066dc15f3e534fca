import type { ExecutionHead, JournalEntry, Progress, Write } from './ports.ts'

interface Accepted {
  readonly head: ExecutionHead
  readonly startedAtMs: number | undefined
}

/** What an execution wants written, gathered until the write before it is committed. */
export interface Outbox {
  /** Counts what was put in; a gate compares it with what is committed. */
  readonly version: number
  readonly dirty: boolean
  accept(accept: Accepted): void
  entry(entry: JournalEntry): void
  child(child: Accepted): void
  cancel(childId: string): void
  progress(progress: Progress): void
  take(): Write
}

export function createOutbox(executionId: string, accountId: string): Outbox {
  let version = 0
  let taken = 0
  let accept: Accepted | undefined
  let entries: JournalEntry[] = []
  let children: Accepted[] = []
  let cancels: string[] = []
  let progress: Progress | undefined
  return {
    get version() {
      return version
    },
    get dirty() {
      return version !== taken
    },
    accept(value) {
      accept = value
      version += 1
    },
    entry(entry) {
      entries.push(entry)
      version += 1
    },
    child(child) {
      children.push(child)
      version += 1
    },
    cancel(childId) {
      cancels.push(childId)
      version += 1
    },
    progress(value) {
      progress = value
      version += 1
    },
    take() {
      const write: Write = { executionId, accountId, accept, entries, children, cancels, progress }
      taken = version
      accept = undefined
      entries = []
      children = []
      cancels = []
      progress = undefined
      return write
    },
  }
}

import { type ErrorData, standardError } from '#core/error.ts'
import type { ParkedState, TerminalState } from '#core/execution-state.ts'
import type { Json } from '#core/json.ts'
import type { Outcome } from '#core/request.ts'
import type { ExecutionSnapshot } from '#durable/ports/execution.ts'
import { isTerminalProgress, type Progress, type Write } from '#durable/ports/journal.ts'

/** How a run left this process. */
export type RunEnd =
  | {
      readonly kind: 'ended'
      readonly state: TerminalState
      readonly output: Json | undefined
      readonly error: ErrorData | undefined
      readonly reply: { readonly body: Json } | undefined
      readonly endedAtMs: number
    }
  | { readonly kind: 'parked'; readonly state: ParkedState }
  | { readonly kind: 'refused' }
  /** What was written last is not known; the journal must be asked. */
  | {
      readonly kind: 'lost'
      readonly cause: unknown
      /** Children that are this process's to run, if the write is there after all. */
      readonly children: readonly string[]
    }

/** The boundary that a write is, for tests that stop the process there. */
export function boundaryOf(write: Write, when: 'submitted' | 'committed') {
  if (write.progress !== undefined) return isTerminalProgress(write.progress) ? (`end-${when}` as const) : (`park-${when}` as const)
  return write.accept === undefined ? (`entry-${when}` as const) : (`accept-${when}` as const)
}

export function endOf(progress: Progress, reply: { readonly body: Json } | undefined): RunEnd {
  if (!isTerminalProgress(progress)) return { kind: 'parked', state: progress.state }
  const { state, output, error, endedAtMs } = progress
  return { kind: 'ended', state, output, error, reply, endedAtMs }
}

/** What a parent sees of its child: its output, its fault, or that it was cancelled. */
export function outcomeOfChild(child: Pick<ExecutionSnapshot, 'state' | 'output' | 'error'>): Outcome {
  if (child.state === 'completed') return { ok: true, value: child.output ?? null }
  if (child.error !== undefined) return { ok: false, error: child.error }
  return { ok: false, error: standardError('runtime', `the workflow it ran was ${child.state}`).data }
}

export function snapshotOf(
  id: string,
  startedAtMs: number,
  end: RunEnd | undefined,
  reply: { readonly body: Json } | undefined,
): ExecutionSnapshot {
  const base = { id, startedAtMs, endedAtMs: undefined, output: undefined, error: undefined, reply }
  if (end?.kind === 'parked') return { ...base, state: end.state }
  if (end?.kind !== 'ended') return { ...base, state: 'running' }
  const { state, output, error, endedAtMs } = end
  return { ...base, state, output, error, endedAtMs }
}

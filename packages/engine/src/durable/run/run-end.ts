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
  /** It is not known whether the last write was committed, or another process owns the execution: it must be recovered from its journal. */
  | {
      readonly kind: 'lost'
      readonly cause: unknown
      /** Children that belong to this process if the last write was committed. */
      readonly children: readonly string[]
    }

/** The boundary of a write, for crash tests. */
export function boundaryOf(write: Write, when: 'submitted' | 'committed') {
  if (write.progress !== undefined) return isTerminalProgress(write.progress) ? (`end-${when}` as const) : (`park-${when}` as const)
  return write.accept === undefined ? (`entry-${when}` as const) : (`accept-${when}` as const)
}

export function endOf(progress: Progress, reply: { readonly body: Json } | undefined): RunEnd {
  if (!isTerminalProgress(progress)) return { kind: 'parked', state: progress.state }
  const { state, output, error, endedAtMs } = progress
  return { kind: 'ended', state, output, error, reply, endedAtMs }
}

/** The outcome of a child for its parent: its output, its fault, or an error if it was cancelled. */
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

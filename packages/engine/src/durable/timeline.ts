import { type ErrorData, WorkflowError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import { showable } from '#core/payload.ts'
import type { Observer } from '#core/observer.ts'
import type { Which } from '#core/scope.ts'
import { replay, type ReplaySource } from './replay.ts'

/** One run of one task, pure tasks included: nothing of it is stored but what the journal holds, the rest is walked again. */
export interface TimelineEntry {
  /** Unique within the execution; tells iterations, visits and attempts apart. */
  readonly position: string
  /** JSON Pointer of the task in the definition. */
  readonly reference: string
  readonly name: string
  readonly kind: string
  /** Indices of the loops around it, outermost first. */
  readonly iteration: readonly number[]
  /** Attempt of the innermost `try` around it, from 1. */
  readonly attempt: number
  readonly state: 'running' | 'completed' | 'faulted' | 'skipped' | 'cancelled'
  readonly startedAtMs: number
  readonly endedAtMs: number | undefined
  readonly input: Json | undefined
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
}

/**
 * What every task of an execution did so far, in the order of their beginnings.
 * @param ended whether the execution has ended: tasks that have not are then `cancelled`, not `running`.
 */
export function timelineOf(workflow: CompiledWorkflow, source: ReplaySource, ended: boolean): readonly TimelineEntry[] {
  const entries = new Map<string, TimelineEntry>()
  const observer: Observer = {
    skipped: (position, node, atMs, which) =>
      void entries.set(position, { ...begin(position, node, atMs, which), state: 'skipped', endedAtMs: atMs }),
    started: (position, node, atMs, input, which) =>
      void entries.set(position, { ...begin(position, node, atMs, which), input: showable(input) }),
    completed: (position, node, atMs, output) =>
      void entries.set(position, {
        ...(entries.get(position) ?? begin(position, node, atMs, { iteration: [], attempt: 1 })),
        state: 'completed',
        endedAtMs: atMs,
        output: showable(output),
      }),
    faulted: (position, node, atMs, error, which) =>
      void entries.set(position, {
        ...(entries.get(position) ?? begin(position, node, atMs, which)),
        state: 'faulted',
        endedAtMs: atMs,
        error,
      }),
  }
  try {
    replay(workflow, source, {}, { name: 'millrace', version: '', metadata: {} }, observer)
  } catch (error) {
    // An execution that diverged, or that decides by a secret, which is not read here, is shown as far as the walk comes.
    if (!(error instanceof WorkflowError)) throw error
  }
  const all = [...entries.values()]
  return ended ? all.map((entry) => (entry.state === 'running' ? { ...entry, state: 'cancelled' as const } : entry)) : all
}

function begin(position: string, node: TaskNode, atMs: number, { iteration, attempt }: Which): TimelineEntry {
  return {
    position,
    reference: node.reference,
    name: node.name,
    kind: node.kind,
    iteration,
    attempt,
    state: 'running',
    startedAtMs: atMs,
    endedAtMs: undefined,
    input: undefined,
    output: undefined,
    error: undefined,
  }
}

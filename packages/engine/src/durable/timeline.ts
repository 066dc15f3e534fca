import { type ErrorData, WorkflowError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import { showable } from '#core/payload.ts'
import type { Observer } from '#core/observer.ts'
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
    skipped: (position, node, atMs) => void entries.set(position, { ...begin(position, node, atMs), state: 'skipped', endedAtMs: atMs }),
    started: (position, node, atMs, input) => void entries.set(position, { ...begin(position, node, atMs), input: showable(input) }),
    completed: (position, node, atMs, output) =>
      void entries.set(position, {
        ...(entries.get(position) ?? begin(position, node, atMs)),
        state: 'completed',
        endedAtMs: atMs,
        output: showable(output),
      }),
    faulted: (position, node, atMs, error) =>
      void entries.set(position, { ...(entries.get(position) ?? begin(position, node, atMs)), state: 'faulted', endedAtMs: atMs, error }),
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

function begin(position: string, node: TaskNode, atMs: number): TimelineEntry {
  return {
    position,
    reference: node.reference,
    name: node.name,
    kind: node.body.kind,
    ...runOf(position, node.reference),
    state: 'running',
    startedAtMs: atMs,
    endedAtMs: undefined,
    input: undefined,
    output: undefined,
    error: undefined,
  }
}

/**
 * Which run of the task it was. A position is the reference with visits, iterations and attempts behind the names; comparing the two tells
 * these from names that look like them.
 */
function runOf(position: string, reference: string): Pick<TimelineEntry, 'iteration' | 'attempt'> {
  const runs = position.split('/')
  const names = reference.split('/')
  const iteration: number[] = []
  let attempt = 1
  // A reference is made of lists (`do`, `try`, `catch/do`, `fork/branches`), each followed by the index and the name of a task.
  for (let at = 1; at < names.length; ) {
    at += names[at] === 'catch' || names[at] === 'fork' ? 3 : 2
    const name = names[at] ?? ''
    const { i, n } = /^(?:~\d+)?(?:\[(?<i>\d+)\])?(?:!(?<n>\d+))?$/.exec(runs[at]?.slice(name.length) ?? '')?.groups ?? {}
    if (i !== undefined) iteration.push(Number(i))
    at += 1
    if (names[at] === 'try' || names[at] === 'catch') attempt = Number(n ?? 0) + 1
  }
  return { iteration, attempt }
}

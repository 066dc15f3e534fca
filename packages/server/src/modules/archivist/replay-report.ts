import {
  type CompiledWorkflow,
  type Difference,
  isTerminal,
  type JournalEntry,
  type Json,
  type Processor,
  taskReference,
  type TimelineEntry,
  timelinePage,
  type Verdict,
  walkInTurns,
} from '@millrace/engine'
import type { StoredExecution } from '@millrace/engine/storage'
import { toTypeId } from '#platform/ids.ts'
import type { Remains } from './remains.ts'

export interface ReplayedTask {
  readonly position: string
  readonly task: string
  readonly name: string
  readonly kind: string
  readonly state: string
  readonly result: 'same' | 'different' | 'not_compared'
  readonly difference: Difference | undefined
}

export interface ReplayReport {
  readonly execution: StoredExecution
  readonly verdict: Verdict
  readonly erased: Remains | undefined
  readonly tasks: readonly ReplayedTask[]
  readonly truncated: boolean
}

export interface ReplaySource {
  readonly accountId: string
  readonly workflow: CompiledWorkflow
  readonly execution: StoredExecution
  readonly journal: readonly JournalEntry[]
  readonly verdict: Verdict
  readonly erased: Remains | undefined
}

const tasksMax = 1_000

/** Attributes the verdict to tasks: those before the first difference are the same, the one at its position differs, later ones were not reached. */
export async function reportReplay(processor: Processor, source: ReplaySource, signal: AbortSignal): Promise<ReplayReport> {
  const { execution, verdict, erased } = source
  const { entries, truncated } = await walkTasks(processor, source, signal)
  const at = divergence(verdict.difference, source.journal)
  const tasks = entries.map((entry) => taskOf(entry, at, verdict.difference))
  const behind = at === undefined ? [] : source.journal.filter(({ seq }) => seq >= at.seq)
  const known = new Set(tasks.map(({ position }) => position))
  const missed = behind
    .filter(({ position }) => !known.has(position))
    .slice(0, tasksMax)
    .map((entry) => missedTask(entry, at, verdict.difference))
  return { execution, verdict, erased, tasks: [...tasks, ...missed].slice(0, tasksMax), truncated }
}

async function walkTasks(processor: Processor, { accountId, workflow, execution, journal, erased }: ReplaySource, signal: AbortSignal) {
  const startedAtMs = (execution.startedAt ?? execution.createdAt).getTime()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A json column contains nothing else.
  const input = JSON.parse(execution.input) as Json
  const walked = {
    id: toTypeId('exec', execution.id),
    input,
    startedAtMs,
    entries: journal,
    erased: erased === undefined ? undefined : { isCompleted: execution.state === 'completed' },
  }
  const options = { ended: isTerminal(execution.state), from: 0, limit: tasksMax, turn: processor.turn }
  const page = await walkInTurns(timelinePage(workflow, walked, options), { processor, accountId, signal })
  return { entries: page.entries.map(({ entry }) => entry), truncated: page.next !== undefined }
}

type Divergence = Pick<JournalEntry, 'seq' | 'position'>

/** Where the replay left the journal: the engine names the entry in the detail of the difference. Names of tasks contain any characters. */
function divergence(difference: Difference | undefined, journal: readonly JournalEntry[]): JournalEntry | undefined {
  if (difference?.part !== 'journal') return undefined
  return journal.find(({ seq, position }) => difference.detail.startsWith(`journal entry ${seq} at ${position}: `))
}

function taskOf(entry: TimelineEntry, at: Divergence | undefined, difference: Difference | undefined): ReplayedTask {
  const { position, reference: task, name, kind, state } = entry
  const isDifferent = at?.position === position
  const isOpen = state === 'running' || state === 'waiting' || (at !== undefined && state === 'cancelled')
  return {
    position,
    task,
    name,
    kind,
    state,
    result: isDifferent ? 'different' : isOpen ? 'not_compared' : 'same',
    difference: isDifferent ? difference : undefined,
  }
}

function missedTask(
  { position, kind, ok, seq }: JournalEntry,
  at: Divergence | undefined,
  difference: Difference | undefined,
): ReplayedTask {
  const task = taskReference(position)
  const isDifferent = at?.seq === seq
  return {
    position,
    task,
    name: task.slice(task.lastIndexOf('/') + 1),
    kind,
    state: ok ? 'completed' : 'faulted',
    result: isDifferent ? 'different' : 'not_compared',
    difference: isDifferent ? difference : undefined,
  }
}

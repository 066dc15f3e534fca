import type { ErrorData } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Label } from '#core/label.ts'

/** What can start an execution. */
export const triggerKinds = [
  'manual',
  'schedule',
  'webhook',
  'event',
  'watch',
  'workflow',
  'chain',
  'agent',
  'assistant',
  'retry',
  'replay',
  'test',
] as const
export type TriggerKind = (typeof triggerKinds)[number]

/** An execution as a list shows it. */
export interface ExecutionSummary {
  readonly id: string
  readonly workflowId: string
  /** Number of the published version that it runs. */
  readonly version: number
  readonly state: ExecutionState
  readonly trigger: TriggerKind
  readonly createdAt: Date
  readonly startedAt: Date | undefined
  readonly endedAt: Date | undefined
  readonly error: ErrorData | undefined
  /** In the order of the definition; those without a value too. */
  readonly labels: readonly Label[]
  /** Pending because as many executions of its workflow run as may run at once. */
  readonly awaitsTurn: boolean
}

/** An execution with its input, output and reply, which stay JSON text: most are only passed on. */
export interface StoredExecution extends ExecutionSummary {
  readonly versionId: string
  readonly input: string
  readonly output: string | undefined
  /** Returned to the caller before the end. */
  readonly reply: string | undefined
  /** Choices of the main flow after its last journal entry. */
  readonly decisions: string
  readonly retryOf: string | undefined
  /** The execution whose end started this one, or one that this one descends from. */
  readonly causedBy: string | undefined
  readonly retriedBy: string | undefined
  /** Of one that waits for its turn. */
  readonly turn: AwaitedTurn | undefined
}

/** The turn for which an execution waits, of a workflow that limits how many of them run at once. */
export interface AwaitedTurn {
  /** How many run at once. */
  readonly max: number
  /** How many wait before this one; more than 1,000 are not counted. */
  readonly ahead: number
}

/** What the row of an execution alone says about its start and its end. */
export interface ExecutionFacts
  extends Omit<
    StoredExecution,
    'version' | 'error' | 'labels' | 'reply' | 'decisions' | 'retryOf' | 'causedBy' | 'retriedBy' | 'awaitsTurn' | 'turn'
  > {
  /** Who or what started it, as `kind:id`. */
  readonly actor: string
}

export interface SummaryRow {
  readonly id: string
  readonly workflow_id: string
  readonly version: number
  readonly state: ExecutionState
  readonly trigger: TriggerKind
  readonly created_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
  readonly error: string | null
  readonly labels: string | null
  readonly awaits_turn: boolean
}

export interface ExecutionRow extends SummaryRow {
  readonly version_id: string
  readonly input: string
  readonly output: string | null
  readonly reply: string | null
  readonly decisions: string
  readonly retry_of: string | null
  readonly caused_by: string | null
  readonly retried_by: string | null
  readonly turn: string | null
}

export type FactsRow = Omit<SummaryRow, 'version' | 'error' | 'labels' | 'awaits_turn'> &
  Pick<ExecutionRow, 'version_id' | 'input' | 'output'> & { readonly actor: string }

/** Of an execution `e`. */
export const factColumns =
  'e.id, e.workflow_id, e.version_id, e.state, e.trigger, e.actor, e.created_at, e.started_at, e.ended_at, e.input, e.output'

/** Of an execution `e`. */
export const labelsColumn = `(
    select json_agg(json_strip_nulls(json_build_object('name', l.name, 'value', l.value, 'problem', l.problem)) order by l.number)
    from execution_labels l where l.execution_id = e.id) as labels`

/** Of an execution `e` and its version `v`. */
export const summaryColumns = `e.id, e.workflow_id, v.number as version, e.state, e.trigger, e.created_at, e.started_at, e.ended_at, e.error,
  ${labelsColumn},
  case when e.state = 'pending' then exists (select from execution_turns t where t.execution_id = e.id and not t.admitted)
    else false end as awaits_turn`

/** Beside those of the summary. Retries are few, and have a table of their own. */
export const executionColumns = `e.version_id, e.input, e.output, e.reply, e.decisions, e.retry_of, e.caused_by,
  (select r.execution_id from execution_retries r where r.retry_of = e.id) as retried_by,
  case when e.state = 'pending' then (
    select json_build_object('max', t.turn_max, 'ahead', (
      select count(*) from (
        select from execution_turns a join executions w on w.id = a.execution_id
        where a.workflow_id = t.workflow_id and not a.admitted and a.execution_id < t.execution_id and w.state = 'pending' limit 1000
      ) ahead))
    from execution_turns t where t.execution_id = e.id and not t.admitted
  ) end as turn`

export function summaryOf(row: SummaryRow): ExecutionSummary {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    version: row.version,
    state: row.state,
    trigger: row.trigger,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the engine out of ErrorData.
    error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorData),
    labels: labelsOf(row.labels),
    awaitsTurn: row.awaits_turn,
  }
}

/** The labels of `labelsColumn`. */
export function labelsOf(column: string | null): readonly Label[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Made of columns of which one is null.
  return column === null ? [] : (JSON.parse(column) as Label[])
}

export function factsOf(row: FactsRow): ExecutionFacts {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    state: row.state,
    trigger: row.trigger,
    actor: row.actor,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    input: row.input,
    output: row.output ?? undefined,
  }
}

export function executionOf(row: ExecutionRow): StoredExecution {
  return {
    ...summaryOf(row),
    versionId: row.version_id,
    input: row.input,
    output: row.output ?? undefined,
    reply: row.reply ?? undefined,
    decisions: row.decisions,
    retryOf: row.retry_of ?? undefined,
    causedBy: row.caused_by ?? undefined,
    retriedBy: row.retried_by ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Made of two numbers by the statement.
    turn: row.turn === null ? undefined : (JSON.parse(row.turn) as AwaitedTurn),
  }
}

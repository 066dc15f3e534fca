import type { ExecutionState } from '#core/execution-state.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { LabelRow } from './label-rows.ts'
import type { End, Entry, Insert, Update } from './prepare-write.ts'

/** A column whose values are passed as one array parameter; the arrays of all columns are unnested side by side. */
export interface Column<Row> {
  readonly name: string
  readonly type: string
  /** Converts the parameter's type to the column's. */
  readonly as?: (parameter: string) => string
  readonly value: (row: Row) => unknown
}

const fromMs = (name: string) => `to_timestamp(${name} / 1000.0)`
const asJson = (name: string) => `${name}::json`

export const endColumns: readonly Column<End>[] = [
  { name: 'output', type: 'text', as: asJson, value: ({ output }) => output },
  { name: 'error', type: 'text', as: asJson, value: ({ error }) => error },
  { name: 'decisions', type: 'text', value: ({ decisions }) => decisions },
  { name: 'ended_at', type: 'float8', as: fromMs, value: ({ endedAtMs }) => endedAtMs },
  { name: 'wake_at', type: 'float8', as: fromMs, value: ({ wakeAtMs }) => wakeAtMs },
]

export const executionColumns: readonly Column<Insert>[] = [
  { name: 'id', type: 'uuid', value: ({ head }) => head.id },
  { name: 'account_id', type: 'uuid', value: ({ head }) => head.accountId },
  { name: 'workflow_id', type: 'uuid', value: ({ head }) => head.workflowId },
  { name: 'version_id', type: 'uuid', value: ({ head }) => head.versionId },
  { name: 'state', type: 'text', value: stateOfInsert },
  { name: 'trigger', type: 'text', value: ({ head }) => head.trigger },
  { name: 'actor', type: 'text', value: ({ head }) => head.actor },
  { name: 'parent_id', type: 'uuid', value: ({ head }) => head.parentId ?? null },
  { name: 'depth', type: 'int2', value: ({ head }) => head.depth },
  { name: 'caused_by', type: 'uuid', value: ({ head }) => head.causedBy ?? null },
  { name: 'input', type: 'text', as: asJson, value: ({ input }) => input },
  { name: 'created_at', type: 'float8', as: fromMs, value: ({ head }) => head.createdAtMs },
  { name: 'started_at', type: 'float8', as: fromMs, value: ({ startedAtMs }) => startedAtMs ?? null },
  ...endColumns.map((column) => ({ ...column, value: ({ end }: Insert) => column.value(end) })),
]

export const keyColumns: readonly Column<ExecutionHead>[] = [
  { name: 'execution_id', type: 'uuid', value: ({ id }) => id },
  { name: 'account_id', type: 'uuid', value: ({ accountId }) => accountId },
  { name: 'key', type: 'text', value: ({ idempotency }) => idempotency?.key },
  { name: 'digest', type: 'text', value: ({ idempotency }) => idempotency?.digest },
]

export const entryColumns: readonly Column<Entry>[] = [
  { name: 'execution_id', type: 'uuid', value: ({ executionId }) => executionId },
  { name: 'account_id', type: 'uuid', value: ({ accountId }) => accountId },
  { name: 'seq', type: 'int4', value: ({ entry }) => entry.seq },
  { name: 'position', type: 'text', value: ({ entry }) => entry.position },
  { name: 'phase', type: 'text', value: ({ entry }) => entry.phase },
  { name: 'kind', type: 'text', value: ({ entry }) => entry.kind },
  { name: 'ok', type: 'bool', value: ({ entry }) => entry.ok },
  { name: 'value', type: 'text', as: asJson, value: ({ value }) => value },
  { name: 'decisions', type: 'text', value: ({ entry }) => entry.decisions },
  { name: 'started_at', type: 'float8', as: fromMs, value: ({ entry }) => entry.startedAtMs },
  { name: 'ended_at', type: 'float8', as: fromMs, value: ({ entry }) => entry.endedAtMs },
]

export const labelColumns: readonly Column<LabelRow>[] = [
  { name: 'execution_id', type: 'uuid', value: ({ head }) => head.id },
  { name: 'account_id', type: 'uuid', value: ({ head }) => head.accountId },
  { name: 'number', type: 'int2', value: ({ number }) => number },
  { name: 'name', type: 'text', value: ({ label }) => label.name },
  { name: 'value', type: 'text', value: ({ label }) => ('value' in label ? label.value : null) },
  { name: 'problem', type: 'text', value: ({ label }) => ('problem' in label ? label.problem : null) },
]

export const updateColumns: readonly Column<Update>[] = [
  { name: 'id', type: 'uuid', value: ({ executionId }) => executionId },
  { name: 'state', type: 'text', value: ({ progress }) => progress.state },
  ...endColumns.map((column) => ({ ...column, value: ({ end }: Update) => column.value(end) })),
]

/** The claim of an execution that is inserted running, by the process whose id is the first parameter. */
export const claimColumn: Column<Insert> = {
  name: 'claimed_by',
  type: 'bool',
  as: (name) => `case when ${name} then $1::uuid end`,
  value: (row) => stateOfInsert(row) === 'running',
}

function stateOfInsert({ startedAtMs, progress }: Insert): ExecutionState {
  return progress?.state ?? (startedAtMs === undefined ? 'pending' : 'running')
}

/** An insert of rows whose arrays are the parameters from number `at` on. */
export function insertSql<Row>(table: string, columns: readonly Column<Row>[], at: number): string {
  return `insert into ${table} (${namesOf(columns)})
  select ${selectedOf(columns)} from ${unnested(columns, at)}`
}

/** `column = value` for each column, from rows `r`. */
export function assignments<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ name, as }) => `${name} = ${as?.(`r.${name}`) ?? `r.${name}`}`).join(', ')
}

function namesOf<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ name }) => name).join(', ')
}

function selectedOf<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ name, as }) => as?.(`r.${name}`) ?? `r.${name}`).join(', ')
}

export function unnested<Row>(columns: readonly Column<Row>[], at: number): string {
  return `unnest(${columns.map(({ type }, index) => `$${at + index}::${type}[]`).join(', ')}) as r(${namesOf(columns)})`
}

export function arraysOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(({ value }) => rows.map(value))
}

// Access to the engine's tables for the server, which does not name these tables itself.
export {
  deleteEndedExecutions,
  findUncancelledExecutions,
  hasUnfinishedExecutions,
} from '#postgres/storage/account-executions.ts'
export { countAwaitedTurns } from '#postgres/storage/awaited-turns.ts'
export {
  type DeadLetter,
  type DeadLetterFilter,
  type DeadLetterKind,
  deleteDeadLettersOf,
  deleteOldDeadLetters,
  findDeadLetter,
  findOldestDeadLetters,
  insertDeliveryDeadLetters,
  listDeadLetters,
  markDeadLetterReplayed,
  type WholeDeadLetter,
} from '#postgres/storage/dead-letters.ts'
export {
  createExecutionReader,
  type ExecutionKey,
  type ExecutionReader,
  type ExecutionRevision,
  type JournalPart,
} from '#postgres/storage/execution-reader.ts'
export {
  type ExecutionFacts,
  type ExecutionSummary,
  type StoredExecution,
  type TriggerKind,
  triggerKinds,
} from '#postgres/storage/execution-row.ts'
export {
  deleteEndsOf,
  type EndedExecution,
  endedExecutionsSql,
  findEnded,
  openEndsSql,
  takeEndsSql,
  tasksOfEndsSql,
} from '#postgres/storage/execution-ends.ts'
export { taskAttemptsSql } from '#postgres/storage/task-attempts.ts'
export { type LabelFilter, labelNamesOf, type LabelValue } from '#postgres/storage/label-search.ts'
export { type FoundExecutions, searchExecutions, type SearchExecutionsOptions } from '#postgres/storage/search-executions.ts'
export { listExecutions, type ListExecutionsOptions } from '#postgres/storage/list-executions.ts'
export { engineMigrations } from '#postgres/storage/migrations.ts'
export {
  type ExecutionSubject,
  findActors,
  findInput,
  findInputAndOutput,
  findOrigins,
  findSubjects,
  hasExecution,
  isExecutionMissingSql,
  type Origin,
  workflowIdQuery,
} from '#postgres/storage/execution-origin.ts'
export { holdCopies } from '#postgres/storage/retention/compact-partition.ts'
export { createRetention, type Retention } from '#postgres/storage/retention/retention.ts'
export type { RetentionPeriods } from '#postgres/storage/retention/retention-rules.ts'
export { countExecutionsByAccount, countExecutionsSince, type ExecutionCount } from '#postgres/storage/count-executions.ts'
export {
  countExecutions,
  latestExecutionQuery,
  listLiveProcesses,
  type LiveProcess,
  type QueueState,
  readQueueState,
} from '#postgres/storage/workload.ts'
export {
  eventDepthQuery,
  eventEnvelopeQuery,
  type EventListFilter,
  type EventSummary,
  findEvent,
  findLifecycleListeners,
  listEvents,
  type WholeEvent,
} from '#postgres/events/event-reader.ts'
export { deleteEventsOf, deleteExpiredEvents, deleteOrphanedWaits, deleteUnusedFilters } from '#postgres/events/event-retention.ts'
export { findOpenWaits, isWaitOpenSql, type OpenWait } from '#postgres/events/wait-reader.ts'

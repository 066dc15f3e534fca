export * from './definition.ts'
export * from './effects.ts'
export * from './local.ts'
export { type Engine, IdempotencyConflict, type Standing, type Started, type StartRequest } from '#durable/engine.ts'
export { type ExecutionState, executionStates, isTerminal, terminalStatesSql, unfinishedStatesSql } from '#core/execution-state.ts'
export type {
  Boundary,
  BoundaryName,
  Definitions,
  Delivery,
  EffectCall,
  JournalEntry,
  Reporter,
  ResolvedWorkflow,
  Secrets,
} from '#durable/ports.ts'
export { createLoop } from '#durable/loop.ts'
export { createFairQueue } from '#threads/fair-queue.ts'
export { pause } from '#durable/pause.ts'
export type { RetryRequest, RetryResult } from '#durable/retry.ts'
export type { Difference, Verdict } from '#durable/verify.ts'
export { timelinePage, type TimelinePage } from '#durable/timeline.ts'
export { walkInTurns } from '#durable/interruptible.ts'
export { ownProcessor, type Processor, RanOutError } from '#durable/processor.ts'
export { checkValue } from '#computing/check-value.ts'
export { performJob } from '#computing/perform-job.ts'
export type { Analysis, Place, ThreadJob } from '#computing/thread-job.ts'
export { createProcessor, type OpenProcessor } from '#computing/create-processor.ts'
export { createTimelineWalk, type TimelineEntry, type TimelineWalk } from '#durable/timeline-walk.ts'
export { type EntryRow, toEntry } from '#postgres/take.ts'
export { openVerifier, type Verifier } from '#postgres/open-verifier.ts'
export { openEngine, type OpenEngineDeps, type OpenEngineOptions } from '#postgres/open-engine.ts'
export type { Lifecycle } from '#durable/announcer.ts'

export { compileWorkflow } from '#compile/compile-workflow.ts'
export type { Installation } from '#compile/context.ts'
export { compileEventFilter, type EventFilter } from '#compile/event-filter.ts'
export type { FunctionManifest } from '#compile/manifest.ts'
export { type SchemaFault, compileSchema } from '#compile/schema.ts'
export { type Unsupported, UnsupportedError, unsupportedIn } from '#compile/unsupported.ts'
export { type ErrorData, sameErrorType, standardError, WorkflowError } from '#core/error.ts'
export type { Json, JsonObject } from '#core/json.ts'
export { raising } from '#core/raising.ts'
export type { CompiledWorkflow } from '#core/node.ts'
export { type Engine, IdempotencyConflict, type Standing, type Started, type StartRequest } from '#durable/engine.ts'
export { checkEvent, completeEvent } from '#core/event.ts'
export type {
  Boundary,
  BoundaryName,
  Definitions,
  Delivery,
  EffectCall,
  EffectFunction,
  ExecutionState,
  JournalEntry,
  Reporter,
  ResolvedWorkflow,
  Secrets,
} from '#durable/ports.ts'
export type { RetryRequest, RetryResult } from '#durable/retry.ts'
export type { Difference, Verdict } from '#durable/verify.ts'
export { timelineOf } from '#durable/timeline.ts'
export { createTimelineWalk, type TimelineEntry, type TimelineWalk } from '#durable/timeline-walk.ts'
export { openVerifier, type Verifier } from '#postgres/open-verifier.ts'
export { openEngine, type OpenEngineDeps, type OpenEngineOptions } from '#postgres/open-engine.ts'
export type { Lifecycle } from '#durable/announcer.ts'
export type { Observer } from '#core/observer.ts'
export type { TaskNode } from '#core/node.ts'
export { type LocalRun, type LocalRunDeps, runLocally } from '#durable/local-run.ts'
export { createResourceFetcher, type FetchResource } from '#effects/fetch-resource.ts'
export { createHttpFunctions } from '#effects/http-functions.ts'
export { createScriptFunction, createScriptPool, type ScriptPool } from '#effects/script/index.ts'
export type { HttpPort, HttpReply, HttpRequest } from '#effects/http/index.ts'

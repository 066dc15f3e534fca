export { type AttemptLog, attemptLogMax, deleteAttemptLogsOf, deleteOldAttemptLogs, saveAttemptLogs } from './attempt-logs.ts'
export { cancelAllExecutions } from './cancel-all.ts'
export { createExecutions, type Executions, type ExecutionsDeps } from './create-executions.ts'
export type { ExecutionService } from './execution-service.ts'
export { type DiscloseOutput, shownSnapshot } from './disclosure.ts'
export { executionHandlers } from './handlers.ts'
export { executionPath, executionView, labelsView } from './views.ts'
export { preferenceHeader, preferredWaitSeconds } from './wait-preference.ts'
export { createStreamTurns } from './streams/stream-turns.ts'
export { resumePointOf } from './streams/stream-position.ts'
export {
  type IdempotencyKey,
  isOfServer,
  type Origin,
  refuseInput,
  type Start,
  type StartCommand,
  type StartDeps,
  type StartedExecution,
} from './start.ts'

export { createStartedReader } from './find-started.ts'
export { executeHandlers, executionHandlers } from './handlers.ts'
export { createExecutions, type Executions, type ExecutionsDeps } from './service.ts'
export { findByKey } from './store.ts'

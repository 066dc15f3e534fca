export { cancelAllExecutions } from './cancel-all.ts'
export { createExecutions, type Executions, type ExecutionsDeps } from './create-executions.ts'
export { executionHandlers } from './handlers.ts'

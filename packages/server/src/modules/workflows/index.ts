export { createDefinitions, type CompiledDefinitions } from './definitions.ts'
export { workflowHandlers } from './handlers.ts'
export { createWorkflows, type Workflows, type WorkflowsDeps } from './service.ts'
export { createStartLookup, type StartKey, type StartTarget } from './start-lookup.ts'

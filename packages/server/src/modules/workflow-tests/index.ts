export { workflowTestHandlers } from './handlers.ts'
export { deleteSamplesOf } from './sample-store.ts'
export { createWorkflowTests } from './workflow-test-service.ts'

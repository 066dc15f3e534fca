export { workflowTestHandlers } from './handlers.ts'
export { deleteSamplesOf } from './sample-store.ts'
export { createWorkflowTests, type WorkflowTests } from './workflow-test-service.ts'

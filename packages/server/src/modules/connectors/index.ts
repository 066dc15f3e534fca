export { createConnectorCatalogue } from './catalogue-service.ts'
export { connectorHandlers, submissionHandlers } from './handlers.ts'
export { createSubmissions } from './submission-service.ts'
export { deleteSubmissionsOf } from './submission-store.ts'

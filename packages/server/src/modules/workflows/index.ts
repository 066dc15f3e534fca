export { createDefinitions, type CompiledDefinitions } from './definitions.ts'
export { createDefinitionReader } from './definition-reader.ts'
export { workflowDraftHandlers } from './drafts/draft-handlers.ts'
export { workflowHandlers } from './handlers.ts'
export { createPinning, type ExpandCall, type PinResources } from './pins.ts'
export { readRetentionPeriods } from './retention.ts'
export type { Author as PublishingAuthor, RequestedPublication } from './publishing/publishing.ts'
export { type AskedPublication, createPublishRequests, type DeclinedPublication, pageOf } from './publishing/publish-requests.ts'
export { purgeWorkflows } from './purge.ts'
export { createWorkflows, type RequestedDefinition, type Workflows } from './service.ts'
export type { WorkflowsDeps } from './workflows-deps.ts'
export { createStartLookup, type StartKey } from './start-lookup.ts'
export {
  findChangers,
  findMinutesPerRun,
  findVersionNames,
  findWorkflowNames,
  findWorkflowsByName,
  type VersionNames,
  workflowNames,
} from './workflow-names.ts'
export { deleteAllWorkflows, findVersion, lockWorkflows, restoreAllWorkflows, versionQuery } from './store.ts'
export { findAccountRetention, putAccountRetention, readAccountRetention } from './account-retention.ts'
export { losesName } from './document-names.ts'
export { checksumOf, freelyNamed } from './importing/from-template.ts'
export { importWorkflow } from './importing/import-workflow.ts'
export { listOrigins, type Origin } from './importing/origin-store.ts'
export { edited, fillParameters, type Parameter, type ParameterValues } from './importing/parameters.ts'
export { type Permissions, permissionsOf, permissionsView } from './importing/permissions.ts'
export { readmeOf } from './importing/readme.ts'
export { findInputReads, findInputSchema, findInputShapes, type InputShape } from './input-shapes.ts'
export { latestNames, publishedNames } from './requirements.ts'
export { workflowsWithConnection } from './workflows-with-connection.ts'

export { type AccountEndpoints, createAccountEndpoints } from './account/account-endpoints.ts'
export { createAccountModels } from './account/account-model-service.ts'
export { type CallRecorder, createCallRecorder } from './calls/call-recorder.ts'
export { createModelCalls } from './calls/call-service.ts'
export { deleteCallsOf, deleteExpiredCalls } from './calls/call-store.ts'
export { modelCallHandlers } from './calls/handlers.ts'
export { deleteAccountModelsOf } from './account/account-model-store.ts'
export { accountModelHandlers } from './account/handlers.ts'
export { EndpointError } from './failure.ts'
export { modelLimitHandlers } from './limits/handlers.ts'
export { createLimitNotices, type SpendingNotice } from './limits/limit-notices.ts'
export { createModelLimits } from './limits/limit-service.ts'
export { amountText } from './limits/spending-limits.ts'
export { localModelHandlers } from './handlers.ts'
export { createLocalRuntime } from './local-runtime.ts'
export type {
  Completion,
  CompletionPart,
  CompletionRequest,
  EgressPort,
  ModelEndpoint,
  ModelMessage,
  ModelTool,
} from './model.ts'
export { headersOf, modelParts } from './model-parts.ts'
export { amountOf, microsOf } from './micros.ts'
export { modelError } from './model-error.ts'
export { createModelFunction } from './model-function.ts'
export { createModels, type Models, type ModelsDeps } from './models.ts'
export { rankTexts } from './embedding/rank-texts.ts'
export { readJsonText } from './json-text.ts'
export { purgeModelUsage } from './usage-store.ts'

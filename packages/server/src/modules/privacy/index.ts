export type { ComplianceFacts } from './compliance.ts'
export {
  type Decision,
  decisionsAbout,
  deleteOldDecisions,
  deletePrivacyOf,
  insertDecision,
  sumByWorkflow,
  sumDecisions,
} from './decision-store.ts'
export { privacyHandlers } from './handlers.ts'
export { inspectJson } from './inspect-json.ts'
export { createPolicyGuard, type GovernedValue, type PolicyGuard } from './policy-guard.ts'
export { findPoliciesFor, listPolicies, type Policy } from './policy-store.ts'
export { readPolicyRetention } from './policy-retention.ts'
export { policyView } from './views.ts'
export { createPrivacy, type Privacy } from './privacy-service.ts'
export { readPrivacyFigures } from './figures-store.ts'
export { kindsIn, redactAll, withPlaceholders } from './placeholders.ts'

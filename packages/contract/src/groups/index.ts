import { account } from './account.ts'
import { analytics } from './analytics.ts'
import { apiKeys } from './api-keys.ts'
import { approvals } from './approvals.ts'
import {
  accountDomains,
  scim,
  accountUsers,
  auth,
  authEmail,
  authFactors,
  authPasskeys,
  authPhone,
  authProfile,
  authRestore,
  authUser,
  externalAuth,
  invitations,
  signInProviders,
} from './auth-groups.ts'
import { archivist } from './archivist.ts'
import { assistant } from './assistant.ts'
import { audit } from './audit.ts'
import { chains } from './chains.ts'
import { billing, referrals, webhooks } from './commerce.ts'
import { deadLetters, events, eventSubscriptions } from './event-bus.ts'
import { contact, dx, einvoice, leads } from './public-forms.ts'
import { changes } from './changes.ts'
import { erasures } from './erasures.ts'
import { executions } from './executions.ts'
import { accountModels, agents, generation, localModel, modelCalls, modelLimits, speech } from './models.ts'
import { connections } from './connections.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { health } from './health.ts'
import { livecapture } from './live-capture.ts'
import { mcp } from './mcp.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import { persons } from './persons.ts'
import { privacy } from './privacy.ts'
import { tables } from './tables.ts'
import { variables } from './variables.ts'
import { workflowTests } from './workflow-tests.ts'
import { triggers } from './triggers.ts'
import { connectors, connectorSubmissions, functions, marketplace, templates, workflowDrafts, workflows } from './workflow-groups.ts'

const { start, run, list, get, ...controls } = executions

/**
 * Every operation that is served, under the two names of its id (see `Operation.id`); an operation that is not built is not here. These are the names of the
 * client. The server serves `executions` and `deadLetters` as one group each, whatever the ids of their operations.
 */
export const groups = {
  health,
  auth: {
    ...auth,
    ...authEmail,
    ...authFactors,
    ...authPasskeys,
    ...authPhone,
    ...authProfile,
    ...authRestore,
    ...authUser,
    ...externalAuth,
  },
  signInProviders,
  accountDomains,
  scim,
  accountUsers,
  invitations,
  apiKeys,
  oauth,
  workflows: { ...workflows, execute: start, executions: list, execution: get },
  execute: { run },
  workflowDrafts,
  workflowTests,
  executions: controls,
  approvals,
  archivist,
  analytics,
  notifications,
  livecapture,
  account,
  assistant,
  mcp,
  variables,
  privacy,
  erasures,
  persons,
  events,
  eventSubscriptions,
  audit,
  triggers,
  chains,
  changes,
  agent: {
    run: agents.run,
    runs: agents.list,
    getRun: agents.get,
    streamRun: agents.stream,
    streamRuns: agents.live,
    stats: agents.stats,
    transcribe: speech.transcribe,
    localModelPing: localModel.ping,
    localModelStatus: localModel.status,
  },
  ai: { generateWorkflow: generation.generate },
  models: accountModels,
  modelCalls,
  modelLimits,
  aiAssist: { generateWorkflow: generation.assistGenerate, assist: generation.assist, health: generation.health },
  contact,
  leads,
  dx,
  templates,
  marketplace,
  connectorSubmissions,
  connectors,
  connections,
  functions,
  files,
  tables,
  git,
  einvoice,
  queue: { deadLetters: deadLetters.list, deadLetter: deadLetters.get, replay: deadLetters.replay, replayAll: deadLetters.replayAll },
  billing,
  webhooks,
  referrals,
} as const

export {
  agents,
  account,
  accountModels,
  modelCalls,
  modelLimits,
  accountDomains,
  scim,
  accountUsers,
  invitations,
  analytics,
  apiKeys,
  approvals,
  archivist,
  assistant,
  audit,
  auth,
  authEmail,
  authFactors,
  authPasskeys,
  authPhone,
  authProfile,
  authRestore,
  authUser,
  billing,
  chains,
  changes,
  contact,
  functions,
  connections,
  connectors,
  connectorSubmissions,
  marketplace,
  templates,
  deadLetters,
  dx,
  einvoice,
  events,
  eventSubscriptions,
  executions,
  externalAuth,
  files,
  tables,
  generation,
  git,
  health,
  localModel,
  speech,
  leads,
  livecapture,
  mcp,
  notifications,
  oauth,
  privacy,
  erasures,
  persons,
  referrals,
  signInProviders,
  triggers,
  variables,
  webhooks,
  workflowDrafts,
  workflowTests,
  workflows,
}

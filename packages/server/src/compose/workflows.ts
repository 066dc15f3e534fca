import { apiKeys, auth, executions, health, oauth as oauthGroup, workflowDrafts, workflows } from '@millrace/contract'
import { countAwaitedTurns, createExecutionReader } from '@millrace/engine/storage'
import { builtInFunctions } from '#catalog/built-in-functions.ts'
import { catalog } from '#catalog/catalog.ts'
import {
  apiKeyHandlers,
  findRoleOfActor,
  forgetWorkflow,
  createOAuth,
  createOAuthClients,
  oauthHandlers,
  servedOAuth,
} from '#modules/access/index.ts'
import { connectionNames, listConnectionNames } from '#modules/connections/index.ts'
import { approvalFindings, approversNamed, findEndedApprovals } from '#modules/approvals/index.ts'
import { findErased } from '#modules/erasures/index.ts'
import { createExecutions, deleteOldAttemptLogs, executionHandlers, refuseInput, type StartDeps } from '#modules/executions/index.ts'
import { type Health, healthHandlers } from '#modules/health/index.ts'
import { authHandlers, findPublishers } from '#modules/identity/index.ts'
import { createDefinitionSchedules, startKindsOf, workflowsStartedByEnds } from '#modules/triggers/index.ts'
import { createTemplates } from '#modules/templates/index.ts'
import {
  createDefinitionReader,
  latestNames,
  publishedNames,
  createStartLookup,
  findWorkflowNames,
  findWorkflowsByName,
  createWorkflows,
  versionQuery,
  workflowDraftHandlers,
  workflowHandlers,
} from '#modules/workflows/index.ts'
import { listTableNames } from '#modules/tables/index.ts'
import { plainVariableNames } from '#modules/variables/index.ts'
import { served, type ServedGroup } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { composePublishRequests, notifyPublished } from './publish-requests.ts'
import { sessionCookieOf } from './session-cookie.ts'

/** The health of the process alone. */
export function serveHealth(service: Health): Readonly<Record<string, ServedGroup>> {
  return { health: served(health, healthHandlers(service)) }
}

/** How long logs of attempts are kept, and how many are deleted at a time. */
const attemptLogMs = 14 * 24 * 60 * 60 * 1000

/** Names of an account among which a misspelled one is looked for. */
const namesMax = 500

/** What executions ask other areas for before they start. */
export interface WorkflowPorts {
  readonly withinQuota: StartDeps['withinQuota']
}

/** Workflows and executions, with the groups that need no other area. */
export function composeWorkflows(parts: FeatureParts & WorkflowPorts) {
  const { database, enginePool, engine, definitions, authentication, system, closing, processor } = parts
  const templates = createTemplates(builtInFunctions)
  const sendsMail = parts.mailer !== undefined
  const workflowService = createWorkflows({
    now: system.now,
    newId: system.newId,
    chance: () => system.randomBytes(4).readUInt32BE() / 2 ** 32,
    publishers: findPublishers,
    notifyPublished,
    roleOf: (tx, accountId, actor) => findRoleOfActor(tx, accountId, actor, new Date(system.now())),
    secretNames: parts.secrets.names,
    variableNames: (accountId, scope) => plainVariableNames(database.system, accountId, scope),
    connectionNames,
    // The text roles take each other's models.
    hasTextModel: async (accountId) => (await parts.models.of(accountId, 'fast')).length > 0,
    reader: createDefinitionReader({
      processor,
      functions: catalog,
      findFunctions: parts.connectors.source.manifestsOrOthers,
      publishedWorkflows: (accountId, names) => database.account(accountId, (tx) => publishedNames(tx, accountId, names)),
      latestWorkflows: (accountId) => database.account(accountId, (tx) => latestNames(tx, accountId, namesMax)),
    }),
    transaction: (accountId, fn) => database.account(accountId, fn),
    pinResources: parts.pinResources,
    connectionsNamed: (accountId, names) => database.account(accountId, (tx) => connectionNames(tx, accountId, names)),
    connectionsOf: (accountId) => database.account(accountId, (tx) => listConnectionNames(tx, accountId, namesMax)),
    tablesOf: (accountId) => database.account(accountId, (tx) => listTableNames(tx, accountId)),
    approvalFindings: (accountId, args) => database.account(accountId, (tx) => approvalFindings(tx, accountId, args, { sendsMail })),
    refusalOf: parts.http.refusalOf,
    sendsMail,
    assertInput: async (accountId, unpublished, input) => refuseInput(await definitions.inputFaultsOf(accountId, unpublished, input)),
    assertVersionInput: async (accountId, id, input) => refuseInput(await definitions.inputFaults(accountId, id, input)),
    permissions: new Set(['run.script.js']),
    findTemplate: templates.find,
    schedules: createDefinitionSchedules({ now: system.now, newId: system.newId }),
    forgetWorkflow,
    startedByEnds: workflowsStartedByEnds,
    awaitedTurns: countAwaitedTurns,
    approversNamed,
  })
  const publishRequests = composePublishRequests(workflowService, system.now)
  const executionService = createExecutions({
    engine,
    reader: createExecutionReader({ pool: enginePool, versionQuery }),
    versionQuery,
    findWorkflowNames,
    findWorkflowsByName,
    findEndedApprovals,
    findTarget: createStartLookup(enginePool),
    withinQuota: parts.withinQuota,
    admitInput: parts.policies.admitInput,
    newId: system.newId,
    disclose: parts.policies.disclose,
    inputFaults: definitions.inputFaults,
    loadWorkflow: definitions.load,
    versionSources: definitions.sources,
    assertWorkflow: workflowService.assertKnown,
    processor,
    closing,
    eventStreams: parts.eventStreams,
    erasedOf: (accountId, execution) => findErased(database.system, accountId, execution),
    now: system.now,
  })
  const now = () => new Date(system.now())
  const oauth = createOAuth({
    database,
    clients: createOAuthClients({ database, http: parts.http, now, newId: system.newId }),
    now,
    newId: system.newId,
    randomBytes: system.randomBytes,
    publicUrl: parts.config.http.publicUrl,
  })
  const feature: Feature = {
    groups: {
      ...serveHealth(parts.health),
      auth: served(auth, authHandlers(authentication.identity, sessionCookieOf(parts))),
      oauth: served(oauthGroup, oauthHandlers(oauth)),
      oauthServer: servedOAuth(oauth, parts.config.http.publicUrl),
      apiKeys: served(apiKeys, apiKeyHandlers(authentication.access)),
      workflows: served(
        workflows,
        workflowHandlers({
          service: workflowService,
          requests: publishRequests,
          transaction: (accountId, fn) => database.account(accountId, fn),
          now: system.now,
          startKinds: startKindsOf,
        }),
      ),
      workflowDrafts: served(workflowDrafts, workflowDraftHandlers(workflowService, publishRequests)),
      executions: served(executions, executionHandlers(executionService)),
    },
    maintenance: [
      { name: 'oauth-tokens', run: () => oauth.sweep() },
      {
        name: 'attempt-logs',
        run: () => deleteOldAttemptLogs(database.system, new Date(system.now() - attemptLogMs)),
      },
    ],
  }
  return { feature, templates, workflows: workflowService, executions: executionService }
}

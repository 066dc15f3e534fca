import type { EffectFunction } from '@millrace/engine'
import type { Config } from '#config/read-config.ts'
import { manifest as agent } from '#catalog/agent/manifest.ts'
import { createAgentStart, createAgentTurn, expandAgent } from '#modules/agents/index.ts'
import {
  createAccountEndpoints,
  createCallRecorder,
  createModelFunction,
  createModels,
  microsOf,
  type Models,
  type ModelsDeps,
} from '#modules/models/index.ts'
import type { PolicyGuard } from '#modules/privacy/index.ts'
import { recordUsage } from '#modules/usage/index.ts'
import { type ExpandCall, findAccountRetention, findInputSchema } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { createWebFetch, type WebFetch } from '#platform/net/web-fetch.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { Departures } from '#modules/consents/index.ts'
import { modelEgress } from './departures.ts'
import { createLateFunction, type LateFunction } from './late-function.ts'
import type { Logger } from './logger.ts'
import { modelLimitNotices } from './model-limit-notices.ts'
import type { OpenConnectors } from './open-connectors.ts'
import type { System } from './system.ts'

/** The models of the installation and of accounts, and the functions by which executions use them. */
export interface OpenModels {
  /** For addresses that the operator configured. */
  readonly web: WebFetch
  readonly models: Models
  readonly functions: ReadonlyMap<string, EffectFunction>
  /** `call: account-read`, which the features provide. */
  readonly accountRead: LateFunction
}

interface OpenModelsDeps extends Pick<System, 'now' | 'newId'> {
  readonly logger: Pick<Logger, 'warn'>
  readonly connectors: Pick<OpenConnectors, 'source'>
  readonly database: Database
  readonly sealing: Pick<Sealing, 'opener'>
  readonly accountWeb: WebFetch
  readonly departures: Departures
  readonly policies: PolicyGuard
}

/** Calls that become tasks when a definition is published. */
export const expansions: ReadonlyMap<string, ExpandCall> = new Map([
  [agent.name, (given, secrets) => expandAgent(given, secrets, agent.input)],
])

/** @param running collects what has to be stopped. */
export function openModels(
  { models: { models: endpoints, tokensPerDay, costPerDay, texts }, retentionMs }: Pick<Config, 'models' | 'retentionMs'>,
  { database, sealing, accountWeb, connectors, now, newId, departures, policies, logger }: OpenModelsDeps,
  running: AsyncDisposableStack,
): OpenModels {
  const web = createWebFetch()
  running.defer(() => web.close())
  const meter: ModelsDeps['meter'] = (tx, accountId, { sourceId, tokens }) =>
    recordUsage(tx, accountId, { meter: 'ai_tokens', amount: tokens, sourceId, atMs: now() })
  const limits = { tokens: tokensPerDay, costMicros: costPerDay === undefined ? undefined : microsOf(costPerDay) }
  const own = { read: createAccountEndpoints(database, sealing), web: accountWeb }
  const recordCall = createCallRecorder({
    now,
    newId,
    texts,
    retentionMs: async (tx, accountId) => (await findAccountRetention(tx, accountId)) ?? retentionMs,
  })
  const egress = modelEgress(departures, policies)
  const notices = modelLimitNotices({ database, now, logger })
  const models = createModels({ database, endpoints, limits, notices, web, own, now, meter, egress, recordCall })
  const accountRead = createLateFunction()
  const keptText: Parameters<typeof createAgentTurn>[0]['keptText'] = async ({ accountId, workflowId }, text) =>
    policies.copyOf((await policies.policiesFor(accountId, workflowId)).journal, text)
  const functions = new Map([
    ['account-read', accountRead.perform],
    ['model', createModelFunction(models)],
    ['agent-start', createAgentStart({ models, database, inputSchemaOf: findInputSchema, source: connectors.source, now, newId })],
    ['agent-turn', createAgentTurn({ models, database, now, keptText })],
  ])
  return { web, models, functions, accountRead }
}

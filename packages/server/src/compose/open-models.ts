import type { EffectFunction } from '@millrace/engine'
import type { Config } from '#config/read-config.ts'
import { createAgentTurn } from '#modules/agents/index.ts'
import { createModelFunction, createModels, type Models, type ModelsDeps } from '#modules/models/index.ts'
import { recordUsage } from '#modules/usage/index.ts'
import type { Database } from '#platform/db/database.ts'
import { createWebFetch, type WebFetch } from '#platform/net/web-fetch.ts'
import type { Departures } from '#modules/consents/index.ts'
import { modelEgress } from './departures.ts'
import type { System } from './system.ts'

/** The models of the installation, and the functions by which executions use them. */
export interface OpenModels {
  /** For addresses that the operator configured. */
  readonly web: WebFetch
  readonly models: Models
  readonly functions: ReadonlyMap<string, EffectFunction>
}

/** @param running collects what has to be stopped. */
export function openModels(
  { models: { models: endpoints, tokensPerDay } }: Pick<Config, 'models'>,
  { database, now, departures }: { readonly database: Database; readonly departures: Departures } & Pick<System, 'now'>,
  running: AsyncDisposableStack,
): OpenModels {
  const web = createWebFetch()
  running.defer(() => web.close())
  const meter: ModelsDeps['meter'] = (tx, accountId, { sourceId, tokens }) =>
    recordUsage(tx, accountId, { meter: 'ai_tokens', amount: tokens, sourceId, atMs: now() })
  const models = createModels({ database, endpoints, tokensPerDay, web, now, meter, egress: modelEgress(departures) })
  const functions = new Map([
    ['model', createModelFunction(models)],
    ['agent-turn', createAgentTurn({ models, database, now })],
  ])
  return { web, models, functions }
}

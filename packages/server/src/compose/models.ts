import { accountModels, generation, localModel, modelCalls, modelLimits, speech } from '@millrace/contract'
import { catalog } from '#catalog/catalog.ts'
import { createFunctions } from '#modules/connectors/index.ts'
import { listConnectionNames } from '#modules/connections/index.ts'
import { chooseFunctions, createGeneration, generationHandlers } from '#modules/generation/index.ts'
import {
  accountModelHandlers,
  createAccountModels,
  createLocalRuntime,
  createModelCalls,
  createModelLimits,
  deleteAccountModelsOf,
  deleteCallsOf,
  deleteExpiredCalls,
  localModelHandlers,
  modelCallHandlers,
  modelLimitHandlers,
  type Models,
  purgeModelUsage,
  rankTexts,
} from '#modules/models/index.ts'
import { createAudioDuration, createTranscriptStreams, speechHandlers } from '#modules/speech/index.ts'
import { createVariables } from '#modules/variables/index.ts'
import { findWorkflowNames, type Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import type { Feature, FeatureParts } from './feature.ts'

const namesMax = 100
const listedMax = 5_000

/** The models of accounts, and what is written with the help of models. */
export function composeModels(
  parts: FeatureParts,
  { workflows }: { readonly workflows: Workflows },
): Feature & { readonly models: Models } {
  const { config, database, models, web, system, processor, health, secrets, variableValues: values } = parts
  const variables = createVariables({ now: system.now, newId: system.newId, values, hasWorkflow: workflows.exists })
  const listed = createFunctions({ db: database.system, catalog, source: parts.connectors.source })
  async function connectorFunctions(accountId: string, words: string, signal: AbortSignal) {
    const all = await listed.list(accountId, { after: undefined, limit: listedMax })
    const chosen = await chooseFunctions(all, words, (query, texts) => rankTexts(models, { accountId, query, texts, signal }))
    return parts.connectors.source.manifests(accountId, chosen)
  }
  const service = createGeneration({
    models,
    workflows,
    functions: catalog,
    processor,
    now: system.now,
    async namesOf(accountId, words, signal) {
      const ofSecrets = await secrets.names(accountId)
      const functionsOfConnectors = await connectorFunctions(accountId, words, signal)
      return database.account(accountId, async (tx) => {
        const all = { before: undefined, scope: undefined, workflowId: undefined, environment: undefined, name: undefined } as const
        const found = await variables.list(tx, accountId, { ...all, kind: undefined, limit: namesMax })
        const page = { cursor: undefined, state: undefined, tag: undefined, trigger: undefined, text: undefined, sort: 'created' } as const
        const { data } = await workflows.list(tx, accountId, { ...page, limit: namesMax })
        const documents = await workflows.documentNames(
          tx,
          accountId,
          data.map(({ id }) => id),
        )
        return {
          secrets: [...ofSecrets],
          variables: found.filter(({ kind }) => kind !== 'secret').map(({ name }) => name),
          workflows: [...documents.values()],
          connections: await listConnectionNames(tx, accountId, namesMax),
          functions: functionsOfConnectors,
        }
      })
    },
  })
  const streams = createTranscriptStreams({ models, eventStreams: parts.eventStreams })
  const own = createAccountModels({
    now: system.now,
    newId: system.newId,
    sealing: parts.sealing,
    texts: config.models.texts,
    address: parts.connections.address,
    web: parts.accountWeb,
    transaction: (accountId, fn) => database.account(accountId, fn),
  })
  const limits = createModelLimits({ now: system.now, installation: config.models.models })
  const runtime = createLocalRuntime({ url: config.models.localUrl, web, clock: system.clock })
  return {
    models,
    groups: {
      accountModels: served(accountModels, accountModelHandlers(own)),
      modelCalls: served(modelCalls, modelCallHandlers(createModelCalls({ findWorkflowNames }))),
      modelLimits: served(modelLimits, modelLimitHandlers(limits)),
      localModel: served(localModel, localModelHandlers(runtime)),
      speech: served(speech, speechHandlers({ models, durationOf: createAudioDuration(), streams })),
      generation: served(generation, generationHandlers({ service, models, health })),
    },
    maintenance: [
      { name: 'model-calls', run: () => inBatches((limit) => deleteExpiredCalls(database.system, new Date(system.now()), limit)) },
    ],
    async purge(executor, accountId) {
      await deleteCallsOf(executor, accountId)
      await deleteAccountModelsOf(executor, accountId)
      await purgeModelUsage(executor, accountId)
    },
  }
}

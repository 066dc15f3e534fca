import { generation, localModel, speech } from '@millrace/contract'
import { catalog } from '#catalog/catalog.ts'
import { createGeneration, generationHandlers } from '#modules/generation/index.ts'
import { createLocalRuntime, localModelHandlers, type Models, purgeModelUsage } from '#modules/models/index.ts'
import { createAudioDuration, speechHandlers } from '#modules/speech/index.ts'
import { createVariables } from '#modules/variables/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

const namesMax = 100

/** The models of the installation, and what is written with their help. */
export function composeModels(
  parts: FeatureParts,
  { workflows }: { readonly workflows: Workflows },
): Feature & { readonly models: Models } {
  const { config, database, models, web, system, processor, health, secrets, variableValues: values } = parts
  const variables = createVariables({ now: system.now, newId: system.newId, values, hasWorkflow: workflows.exists })
  const service = createGeneration({
    models,
    workflows,
    functions: catalog,
    processor,
    now: system.now,
    async namesOf(accountId) {
      const ofSecrets = await secrets.names(accountId)
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
        }
      })
    },
  })
  const runtime = createLocalRuntime({ url: config.models.localUrl, web, clock: system.clock })
  return {
    models,
    groups: {
      localModel: served(localModel, localModelHandlers(runtime)),
      speech: served(speech, speechHandlers(models, createAudioDuration())),
      generation: served(generation, generationHandlers({ service, models, health })),
    },
    purge: purgeModelUsage,
  }
}

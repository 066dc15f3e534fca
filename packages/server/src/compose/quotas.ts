import { isObject, type Json } from '@millrace/engine'
import type { StartDeps } from '#modules/executions/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Usage } from '#modules/usage/index.ts'
import type { CompiledDefinitions } from '#modules/workflows/index.ts'

const modelFunctions: ReadonlySet<Json | undefined> = new Set(['model', 'agent-turn'])

/** Refuses starts beyond a hard limit of the plan. A start of a workflow needs no tokens without models, and with models that the account pays. */
export function startQuota(
  usage: Usage,
  definitions: Pick<CompiledDefinitions, 'load'>,
  models: Pick<Models, 'of'>,
): StartDeps['withinQuota'] {
  const paysItself = async (accountId: string) => (await models.of(accountId, 'strong'))[0]?.owner === 'account'
  return async (accountId, versionId, start) => {
    if (
      (await usage.isUsedUp(accountId, 'ai_tokens')) &&
      callsModel((await definitions.load(accountId, versionId)).definition) &&
      !(await paysItself(accountId))
    )
      await usage.assertWithin(accountId, 'ai_tokens')
    await usage.assertWithin(accountId, 'tasks')
    return usage.withinExecutions(accountId, start)
  }
}

/**
 * Refuses requests for a model of the installation beyond the tokens of the plan. Executions ask the models without it: one that was accepted is
 * never cut.
 */
export function quotaOfModels(models: Models, usage: Usage): Models {
  const limited = <R extends { readonly accountId: string }>(request: R) => ({
    ...request,
    beforeInstallation: () => usage.assertWithin(request.accountId, 'ai_tokens'),
  })
  return {
    ...models,
    complete: (request) => models.complete(limited(request)),
    stream: (request) => models.stream(limited(request)),
    with: (request, work) => models.with(limited(request), work),
  }
}

function callsModel(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(callsModel)
  if (!isObject(value ?? null)) return false
  const members: readonly (readonly [string, Json])[] = Object.entries(value ?? {})
  return members.some(([name, member]) => (name === 'call' && modelFunctions.has(member)) || callsModel(member))
}

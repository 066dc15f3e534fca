import { calledFunction, type Definition, eachTask, knownNames } from '@millrace/dsl'
import {
  connectorCalls,
  expandedCall,
  type FetchResource,
  type FunctionManifest,
  gatherResources,
  type JsonObject,
  membersOf,
  pinnedIn,
  type Processor,
  RanOutError,
} from '@millrace/engine'
import { createFairGate } from '#platform/batching/fair-gate.ts'
import type { SecretScope } from '#platform/secrets/secret-store.ts'
import { type FindFunctions, manifestKey } from './find-functions.ts'
import { sha256 } from './definition.ts'
import type { PinnedResources } from './model.ts'

export interface PinDeps {
  readonly fetchResource: FetchResource
  readonly processor: Processor
  /** The default catalog. */
  readonly functions: readonly FunctionManifest[]
  readonly findFunctions: FindFunctions
  /** Functions whose calls become tasks, by name. */
  readonly expansions: ReadonlyMap<string, ExpandCall>
  readonly readSecrets: (accountId: string, names: readonly string[], scope: SecretScope) => Promise<JsonObject>
}

/** Makes the tasks of a call with these arguments; failures have a JSON Pointer into the arguments. */
export type ExpandCall = (
  given: JsonObject,
  secrets: readonly string[],
) => { readonly task: JsonObject } | { readonly failures: readonly { readonly pointer: string; readonly message: string }[] }

/** Publications of one account that fetch at the same time; its others wait. */
const perAccountMax = 2

export type PinResources = ReturnType<typeof createPinning>

/** Fetches what definitions take from elsewhere, once, so that a version means the same for as long as it is kept. */
export function createPinning(deps: PinDeps) {
  const gate = createFairGate({ maxOfKey: perAccountMax })

  return async (
    accountId: string,
    definition: Parameters<typeof gatherResources>[0],
    { secretNames, scope }: { readonly secretNames: readonly string[]; readonly scope: SecretScope },
  ) => {
    const expanded = expandCalls(deps.expansions, definition)
    const own: PinnedResources = { ...(await pinManifests(deps, accountId, definition)), ...expanded.resources }
    if (expanded.failures.length > 0 || pinnedIn(definition).length === 0) return { resources: own, failures: expanded.failures }
    return gate(accountId, async () => {
      const secrets = await deps.readSecrets(accountId, secretNames, scope)
      const read: Parameters<typeof gatherResources>[1]['read'] = (job) =>
        deps.processor.perform(accountId, job).catch((error: unknown) => {
          if (!(error instanceof RanOutError)) throw error
          return { ok: false, why: `reading it ${error.message}` }
        })
      const { resources, failures } = await gatherResources(definition, { ...deps, secrets, read })
      const pinned = Object.entries(resources).map(
        ([uri, { kind, text, content }]) => [uri, { kind, sha256: sha256(text), content }] as const,
      )
      return { resources: { ...own, ...Object.fromEntries(pinned) } satisfies PinnedResources, failures }
    })
  }
}

/** What the functions of connectors take is part of a version: a later change of a connector does not change how the version is compiled. */
async function pinManifests(deps: Pick<PinDeps, 'findFunctions'>, accountId: string, definition: object): Promise<PinnedResources> {
  const names = connectorCalls(definition)
  const found = names.length === 0 ? [] : await deps.findFunctions(accountId, names)
  return Object.fromEntries(
    found.map((manifest) => {
      const content: JsonObject = { ...manifest }
      return [manifestKey(manifest.name), { kind: 'manifest' as const, sha256: sha256(JSON.stringify(content)), content }] as const
    }),
  )
}

/** The tasks of a call are part of a version: a later release that makes other tasks of it does not change what executions have journalled. */
function expandCalls(expansions: PinDeps['expansions'], definition: Definition) {
  const resources: Record<string, PinnedResources[string]> = {}
  const failures: { readonly pointer: string; readonly message: string }[] = []
  const names = knownNames(definition.use)
  for (const { kind, task, pointer } of eachTask(definition)) {
    const called = kind === 'call' ? calledFunction(task.call, names) : undefined
    const expand = called?.kind === 'default' ? expansions.get(called.name) : undefined
    if (called?.kind !== 'default' || kind !== 'call' || expand === undefined) continue
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
    const given = membersOf((task.with ?? {}) as unknown as JsonObject)
    const expansion = expand(given, definition.use?.secrets ?? [])
    if ('failures' in expansion) {
      failures.push(...expansion.failures.map((failure) => ({ ...failure, pointer: `${pointer}/with${failure.pointer}` })))
      continue
    }
    const content = expansion.task
    resources[expandedCall(called.name, given)] = { kind: 'call', sha256: sha256(JSON.stringify(content)), content }
  }
  return { resources, failures }
}

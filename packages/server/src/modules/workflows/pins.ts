import { type FetchResource, type FunctionManifest, gatherResources, type JsonObject, pinnedIn } from '@millrace/engine'
import { sha256 } from './definition.ts'
import type { PinnedResources } from './model.ts'

export interface PinDeps {
  readonly fetchResource: FetchResource
  /** The default catalog. */
  readonly functions: readonly FunctionManifest[]
  readonly readSecrets: (accountId: string, names: readonly string[]) => Promise<JsonObject>
}

/** Publications that fetch at the same time; the others wait, since each of them holds a connection. */
const pinningMax = 2

export type PinResources = ReturnType<typeof createPinning>

/** Fetches what definitions take from elsewhere, once, so that a version means the same for as long as it is kept. */
export function createPinning(deps: PinDeps) {
  let pinning = 0
  const waiting: (() => void)[] = []

  return async (accountId: string, definition: Parameters<typeof gatherResources>[0], secretNames: readonly string[]) => {
    if (pinnedIn(definition).length === 0) return { resources: {}, failures: [] }
    if (pinning >= pinningMax) await new Promise<void>((resolve) => waiting.push(resolve))
    pinning += 1
    try {
      const secrets = await deps.readSecrets(accountId, secretNames)
      const { resources, failures } = await gatherResources(definition, { ...deps, secrets })
      const pinned = Object.entries(resources).map(
        ([uri, { kind, text, content }]) => [uri, { kind, sha256: sha256(text), content }] as const,
      )
      return { resources: Object.fromEntries(pinned) satisfies PinnedResources, failures }
    } finally {
      pinning -= 1
      waiting.shift()?.()
    }
  }
}

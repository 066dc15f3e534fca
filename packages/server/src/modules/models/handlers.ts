import type { localModel } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import type { LocalRuntime } from './local-runtime.ts'

/** Handlers of the group `localModel`. */
export function localModelHandlers(runtime: LocalRuntime): HandlersFor<typeof localModel> {
  return { ping: () => runtime.ping(), status: () => runtime.status() }
}

import { canonicalJson } from '#core/canonical-json.ts'
import type { Json } from '#core/json.ts'

/**
 * Where the tasks of a call are among the resources of a definition, if the host made tasks of it when the definition was published. Equal
 * calls share them. The key is no URI, so nothing that was fetched can take its place.
 */
export function expandedCall(name: string, given: Json): string {
  return `call ${name} ${canonicalJson(given)}`
}

import type { JsonValue } from '@millrace/contract'
import { withoutSecrets } from '#src/values/secret-members.ts'

const keyOf = (workflow: string) => `millrace.input.${workflow}`
const charactersMax = 20_000

/** The input of the last run that was started here, without its secrets; undefined without one. */
export function lastInput(workflow: string): JsonValue | undefined {
  try {
    const kept = localStorage.getItem(keyOf(workflow))
    if (kept === null) return undefined
    const input: JsonValue = JSON.parse(kept)
    return input
  } catch {
    return undefined
  }
}

/** Keeps an input on this device; `schema` says which members are secrets. A large one is not kept. */
export function keepInput(workflow: string, input: JsonValue, schema: unknown): void {
  const text = JSON.stringify(withoutSecrets(input, schema))
  try {
    if (text.length <= charactersMax) localStorage.setItem(keyOf(workflow), text)
    else localStorage.removeItem(keyOf(workflow))
  } catch {
    // A full or blocked store keeps no input; the run has begun without.
  }
}

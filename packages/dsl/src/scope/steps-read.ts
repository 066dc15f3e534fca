import type { Json } from '#src/json.ts'
import { isObject } from '#src/shape/variables.ts'

/** `$steps.name`, `$steps."name"` and `$steps["name"]`. */
const reading = /\$steps\s*(?:\.\s*(?:([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*"))|\.?\[\s*("(?:[^"\\]|\\.)*")\s*\])/g

/** The names of steps that the expressions in a value read, as far as they are written out. */
export function stepsRead(value: Json): ReadonlySet<string> {
  return new Set(
    textsIn(value).flatMap((text) => Array.from(text.matchAll(reading), ([, plain, key, index]) => plain ?? nameOf(key ?? index))),
  )
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function nameOf(quoted = '""'): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    // An escape that jq knows and JSON does not.
    return quoted.slice(1, -1)
  }
}

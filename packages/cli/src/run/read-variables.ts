import { standardError } from '@millrace/engine/definition'
import type { EffectFunction } from '@millrace/engine/local'
import type { Json, JsonObject } from '@millrace/engine'
import { usageFailure } from '#command/failure.ts'

/** The variables of the command line: a value that is JSON counts as such, any other as text. */
export function readVariables(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(pairs.map(readPair))
}

function readPair(text: string): [string, Json] {
  const equals = text.indexOf('=')
  if (equals < 1) throw usageFailure(`--variable ${text}: it needs name=value, such as --variable region=eu.`)
  return [text.slice(0, equals), valueOf(text.slice(equals + 1))]
}

function valueOf(text: string): Json {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse returns JSON.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The function that a definition with `$variables` calls before its first task. */
export function createVariablesFunction(variables: JsonObject): EffectFunction {
  return ({ arguments: given }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The interpreter makes these arguments.
    const { names } = given as unknown as { readonly names: readonly string[] }
    const missing = names.filter((name) => !Object.hasOwn(variables, name))
    const [first] = missing
    if (first === undefined) return Promise.resolve(variables)
    const detail = `The variable ${missing.join(', ')} was not given. Give it with --variable ${first}=VALUE.`
    return Promise.reject(standardError('configuration', detail))
  }
}

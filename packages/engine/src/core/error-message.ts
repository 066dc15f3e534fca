import { type ErrorData, errorFromJson, errorToJson } from './error.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

const mark = 'millrace:raise'

/** A message that fails the task that receives it, such as an approval without a decision before its deadline. */
export function errorMessage(error: ErrorData): JsonObject {
  return { [mark]: errorToJson(error) }
}

/** The error in a message; `undefined` for a message that is an output. */
export function errorFromMessage(message: Json): ErrorData | undefined {
  const error = isObject(message) ? message[mark] : undefined
  return error === undefined ? undefined : errorFromJson(error)
}

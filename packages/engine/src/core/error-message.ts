import { type ErrorData, errorFromJson, errorToJson } from './error.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

const mark = 'millrace:raise'

/** A message with which the task that takes it fails: an approval that nobody has given in time. */
export function errorMessage(error: ErrorData): JsonObject {
  return { [mark]: errorToJson(error) }
}

/** The error that a message raises; `undefined` for one that is an output. */
export function errorFromMessage(message: Json): ErrorData | undefined {
  const error = isObject(message) ? message[mark] : undefined
  return error === undefined ? undefined : errorFromJson(error)
}

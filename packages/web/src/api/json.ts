import type { JsonValue } from '@millrace/contract'

/** Reads JSON that a person wrote; the message of an error is for that person. */
export function readJson(text: string, failure: (detail: string) => string): JsonValue {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse makes nothing else.
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new Error(failure(error instanceof Error ? error.message : ''), { cause: error })
  }
}

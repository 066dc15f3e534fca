import type { JsonValue } from '@millrace/contract'

/** A mistake in what a person typed; the message is for that person. */
export class InputError extends Error {}

/** Reads JSON that a person wrote. Throws an `InputError` for anything else. */
export function readJson(text: string, failure: (detail: string) => string): JsonValue {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse makes nothing else.
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new InputError(failure(error instanceof Error ? error.message : ''), { cause: error })
  }
}

import type { JsonValue } from '@millrace/contract'

/** A value as JSON has it: without members that are undefined, and null for undefined itself. */
export function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null))
}

import type { JsonValue } from '#src/json.ts'
import { bytesOf } from './audit-entry.ts'
import { toHex } from './checkpoint.ts'
import type { Hash } from './merkle.ts'

/** A state of a member with the salt of its commitment. */
export interface RevealedState {
  /** Random bytes as hexadecimal digits. */
  readonly salt: string
  readonly value: JsonValue
}

/** States of members before and after a change; a side is absent where there was nothing. */
export type RevealedChanges = Readonly<
  Record<string, { readonly before?: RevealedState | undefined; readonly after?: RevealedState | undefined }>
>

export type ChangeSide = 'before' | 'after'

/** The commitment to one state of one member, as hexadecimal digits. Without the salt the value cannot be guessed from it. */
export function commitmentOfState(hash: Hash, field: string, side: ChangeSide, { salt, value }: RevealedState): string {
  return toHex(hash(bytesOf({ field, salt, side, value })))
}

/** The members whose revealed states are not those that the details of their event commit to. */
export function changedStates(hash: Hash, details: JsonValue, revealed: RevealedChanges): readonly string[] {
  const committed = memberOf(details, 'changes')
  return Object.entries(revealed).flatMap(([field, states]) =>
    (['before', 'after'] as const).flatMap((side) => {
      const state = states[side]
      const commitment = memberOf(memberOf(committed, field), side)
      return state === undefined || commitmentOfState(hash, field, side, state) === commitment ? [] : [`${field} (${side})`]
    }),
  )
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? Object.entries(value).find(([member]) => member === name)?.[1] : undefined
}

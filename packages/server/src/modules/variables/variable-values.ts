import { Fault, type JsonValue } from '@millrace/contract'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import { type StoredValue, valueBytesMax, type VariableKind } from './model.ts'

const secretLengthMin = 4

/** Checks that a value is of its kind. Fault `request_invalid` otherwise, which never repeats the value. */
export function assertValue(kind: VariableKind, value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw invalid('Is required.')
  const problem = problemOf(kind, value)
  if (problem !== undefined) throw invalid(problem)
  if (Buffer.byteLength(JSON.stringify(value)) > valueBytesMax) throw invalid(`Must have at most ${valueBytesMax} bytes as JSON.`)
  return value
}

function problemOf(kind: VariableKind, value: JsonValue): string | undefined {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? undefined : 'Must be a text, since the kind is text.'
    case 'number':
      return typeof value === 'number' ? undefined : 'Must be a number, since the kind is number.'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Must be true or false, since the kind is boolean.'
    case 'json':
      return undefined
    case 'secret':
      return secretProblem(value)
  }
}

function secretProblem(value: JsonValue): string | undefined {
  if (typeof value === 'string')
    return value.length >= secretLengthMin
      ? undefined
      : `Must have at least ${secretLengthMin} characters: a shorter secret cannot be masked in journals and logs.`
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  return isObject ? undefined : 'Must be a text, or an object of texts for an authentication policy.'
}

/** Seals and opens the values of secrets. The context of a value is its account and its id, so that rows cannot be exchanged. */
export function createVariableValues(box: SecretBox) {
  const contextOf = (accountId: string, id: string) => `variables/${accountId}/${id}`
  return {
    store(accountId: string, id: string, kind: VariableKind, value: JsonValue): StoredValue {
      const json = JSON.stringify(value)
      return kind === 'secret' ? { sealed: box.seal(Buffer.from(json), contextOf(accountId, id)) } : { json }
    },

    /** Undefined if the value was sealed under another key. */
    open(accountId: string, id: string, sealed: Buffer): JsonValue | undefined {
      const plain = box.open(sealed, contextOf(accountId, id))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `store` sealed JSON.
      return plain === undefined ? undefined : (JSON.parse(plain.toString('utf8')) as JsonValue)
    },
  }
}

export type VariableValues = ReturnType<typeof createVariableValues>

function invalid(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '/value', detail }] })
}

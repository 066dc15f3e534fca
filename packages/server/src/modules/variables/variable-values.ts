import { Fault, type JsonValue } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
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

export interface VariableValuesDeps {
  readonly sealing: Pick<Sealing, 'seal' | 'opener'>
  /** What sealed secrets before accounts had keys; it only opens. */
  readonly before: Pick<SecretBox, 'open'>
}

type Executor = Kysely<Rows>

/** A secret as it is stored. */
export interface SealedValue {
  readonly id: string
  readonly sealed: Buffer
}

/** Seals and opens the values of secrets under the key of their account. */
export function createVariableValues({ sealing, before }: VariableValuesDeps) {
  const placeOf = (id: string) => ({ table: 'variables', column: 'sealed', row: id })

  async function openAll(executor: Executor, accountId: string, secrets: readonly SealedValue[]): Promise<(JsonValue | undefined)[]> {
    if (secrets.length === 0) return []
    const open = await sealing.opener(executor, accountId)
    return secrets.map(({ id, sealed }) => {
      const plain = open(placeOf(id), sealed) ?? before.open(sealed, `variables/${accountId}/${id}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `store` sealed JSON.
      return plain === undefined ? undefined : (JSON.parse(plain.toString('utf8')) as JsonValue)
    })
  }

  return {
    async store(executor: Executor, accountId: string, id: string, kind: VariableKind, value: JsonValue): Promise<StoredValue> {
      const json = JSON.stringify(value)
      return kind === 'secret' ? { sealed: await sealing.seal(executor, accountId, placeOf(id), Buffer.from(json)) } : { json }
    },

    /** Undefined where a value was sealed under another key. */
    openAll,

    async open(executor: Executor, accountId: string, secret: SealedValue): Promise<JsonValue | undefined> {
      return (await openAll(executor, accountId, [secret]))[0]
    },

    /** The value sealed under the key of its account, if it was sealed before accounts had keys. */
    async resealed(executor: Executor, accountId: string, { id, sealed }: SealedValue): Promise<Buffer | undefined> {
      if ((await sealing.opener(executor, accountId))(placeOf(id), sealed) !== undefined) return undefined
      const plain = before.open(sealed, `variables/${accountId}/${id}`)
      return plain === undefined ? undefined : sealing.seal(executor, accountId, placeOf(id), plain)
    },
  }
}

export type VariableValues = ReturnType<typeof createVariableValues>

function invalid(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '/value', detail }] })
}

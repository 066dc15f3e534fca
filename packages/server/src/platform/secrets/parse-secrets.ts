import { fromTypeId } from '#platform/ids.ts'
import { escapePointer } from '#platform/json-pointer.ts'
import type { SecretMembers, SecretPart, SecretValue } from './secret-store.ts'

/** Secrets by name, by account id (uuid). */
export type AccountSecrets = ReadonlyMap<string, ReadonlyMap<string, SecretValue>>

/** A problem of a file of secrets; no message repeats a text that could be a secret. */
export class SecretsFault extends Error {
  override readonly name = 'SecretsFault'
}

/**
 * Reads `{ "acct_…": { "name": value } }`.
 *
 * Accounts are named by their ids: an email address may later belong to another user, who would get the secrets.
 */
export function parseSecrets(text: string): AccountSecrets {
  const accounts = new Map<string, ReadonlyMap<string, SecretValue>>()
  for (const [typeId, secrets] of Object.entries(objectAt(parseJson(text), ''))) {
    const accountId = fromTypeId('acct', typeId)
    // In a file without accounts this is the name of a secret, which is not secret itself, with a value in place of an object.
    if (accountId === undefined)
      throw new SecretsFault(`${pointerOf('', typeId)}: this is not the id of an account. Write acct_… in its place.`)
    accounts.set(accountId, secretsOf(objectAt(secrets, pointerOf('', typeId)), pointerOf('', typeId)))
  }
  return accounts
}

function secretsOf(given: object, at: string): ReadonlyMap<string, SecretValue> {
  return new Map(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      const pointer = pointerOf(at, name)
      if (!/^[A-Za-z0-9_][\w.-]{0,127}$/.test(name))
        throw new SecretsFault(`${pointer}: names of secrets are letters, digits, "_", "-" and ".", at most 128.`)
      return [name, valueOf(value, pointer)]
    }),
  )
}

function valueOf(value: unknown, pointer: string): SecretValue {
  if (typeof value === 'string' && value !== '') return value
  if (isObject(value) && Object.keys(value).length > 0) return membersOf(value, pointer)
  throw new SecretsFault(`${pointer}: a secret is a text in quotes that is not empty, or an object.`)
}

function membersOf(value: object, pointer: string): SecretMembers {
  return Object.fromEntries(Object.entries(value).map(([name, part]: [string, unknown]) => [name, partOf(part, pointerOf(pointer, name))]))
}

function partOf(value: unknown, pointer: string): SecretPart {
  if (Array.isArray(value)) return value.map((item: unknown, index) => partOf(item, `${pointer}/${index}`))
  if (isObject(value)) return membersOf(value, pointer)
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new SecretsFault(`${pointer}: not JSON.`)
}

function objectAt(value: unknown, pointer: string): object {
  if (isObject(value)) return value
  const shape = pointer === '' ? 'accounts: { "acct_…": { "name": "value" } }' : 'secrets: { "name": "value" }'
  throw new SecretsFault(`${pointer === '' ? 'the file' : pointer}: this has to be an object of ${shape}.`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON without repeating a part of the text in an error, as JSON.parse does. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const offset = Number(/position (?<offset>\d+)/.exec(String(error))?.groups?.['offset'] ?? text.length)
    const lines = text.slice(0, offset).split('\n')
    throw new SecretsFault(`it is not JSON: line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}.`)
  }
}

function pointerOf(parent: string, name: string): string {
  return `${parent}/${escapePointer(name)}`
}

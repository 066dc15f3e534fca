import type { JsonValue } from '@millrace/contract'

/** Whether a schema says, or a name suggests, that a value is a secret. */
export function isSecret(name: string, schema: unknown = {}): boolean {
  const { writeOnly, format } = Object(schema)
  return writeOnly === true || format === 'password' || secretName.test(name)
}

const secretName = /(?:pass(?:word|phrase|wd|code)|secret|token|api[-_]?key|credentials?|private[-_]?key|authorization|^pin|^otp)$/i

/** A value without the members that the schema, or their name, says are secrets. */
export function withoutSecrets(value: JsonValue, schema: unknown): JsonValue {
  const { items, properties } = Object(schema)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, items))
  if (typeof value !== 'object' || value === null) return value
  const described = Object(properties)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isSecret(name, described[name]))
      .map(([name, member]) => [name, withoutSecrets(member, described[name])]),
  )
}

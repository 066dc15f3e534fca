import type { JsonValue } from '@millrace/contract'

const masked = '***'

/** Names of members whose values are credentials. */
const secretName = /(?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|authorization|cookie|credentials?)$/i

/**
 * A value without secrets: those that the mask knows, and members whose names say that they are credentials.
 * @returns the value itself if it has no secret.
 */
export function withoutSecrets(value: JsonValue, mask: ((text: string) => string) | undefined): JsonValue {
  if (typeof value === 'string') return mask?.(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  let isChanged = false
  const shown = (member: JsonValue, name?: string): JsonValue => {
    const next = name !== undefined && secretName.test(name) && typeof member === 'string' ? masked : withoutSecrets(member, mask)
    isChanged ||= next !== member
    return next
  }
  const copy: JsonValue = Array.isArray(value)
    ? value.map((member: JsonValue) => shown(member))
    : Object.fromEntries(Object.entries(value).map(([name, member]: [string, JsonValue]) => [name, shown(member, name)]))
  return isChanged ? copy : value
}

import type { JsonValue } from '@millrace/contract'
import { isSecretName } from './secret-names.ts'

const masked = '***'

type Mask = ((text: string) => string) | undefined

/**
 * A value without secrets: those that the mask knows, also in names of members, and what has a name that says that it is a credential.
 * @returns the value itself if it has no secret.
 */
export function withoutSecrets(value: JsonValue, mask: Mask): JsonValue {
  if (typeof value === 'string') return textWithout(value, mask)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => withoutSecrets(item, mask))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const isNamed = isSecretName(nameIn(value))
  const before = Object.entries(value) as readonly (readonly [string, JsonValue])[]
  const after = before.map(([name, member]) => {
    const isSecret = isSecretName(name) || (isNamed && name === 'value')
    return [mask?.(name) ?? name, isSecret ? hidden(name, member) : withoutSecrets(member, mask)] as const
  })
  const isChanged = after.some(([name, member], index) => name !== before[index]?.[0] || member !== before[index][1])
  return isChanged ? Object.fromEntries(after) : value
}

/** The name in a pair such as `{ name: 'Authorization', value: … }`. */
function nameIn(pair: object): string {
  const { name, key }: { readonly name?: unknown; readonly key?: unknown } = pair
  if (typeof name === 'string') return name
  return typeof key === 'string' ? key : ''
}

/** A credential with all that is in it masked; null, booleans, and numbers of tokens that a model used, stay. */
function hidden(name: string, value: JsonValue): JsonValue {
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && /tokens$/i.test(name))) return value
  if (typeof value !== 'object') return masked
  if (Array.isArray(value)) return value.map((item: JsonValue) => hidden(name, item))
  return Object.fromEntries(Object.entries(value).map(([member, of]: [string, JsonValue]) => [member, hidden(member, of)]))
}

/** A text without known secrets, the user and the password of an address, and, if it is JSON, without those in it. */
function textWithout(text: string, mask: Mask): string {
  const shown = (mask?.(text) ?? text).replaceAll(/(:\/\/)[^\s/?#@"']+@/g, `$1${masked}@`)
  const inside = /^\s*[[{]/.test(shown) ? jsonIn(shown) : undefined
  if (inside === undefined) return shown
  const without = withoutSecrets(inside, mask)
  return without === inside ? shown : JSON.stringify(without)
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

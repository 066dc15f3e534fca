import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { invalidPolicy } from '#effects/http/http-call-error.ts'

/** A text that the policy must have; numbers are taken for text, because YAML makes `password: 1234` one. */
export function requiredText(policy: JsonObject, scheme: string, name: string): string {
  const value = optionalText(policy, scheme, name)
  if (value === undefined) throw invalidPolicy(`"${scheme}" authentication needs "${name}".`)
  return value
}

export function optionalText(policy: JsonObject, scheme: string, name: string): string | undefined {
  const value = policy[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw invalidPolicy(`"${name}" of "${scheme}" authentication must be a string.`)
}

/** A list of texts; a single text counts as a list of one. */
export function textList(policy: JsonObject, scheme: string, name: string): readonly string[] {
  const value: Json = policy[name] ?? []
  const items = isArray(value) ? value : [value]
  return items.map((item) => {
    if (typeof item !== 'string') throw invalidPolicy(`"${name}" of "${scheme}" authentication must be a list of strings.`)
    return item
  })
}

/** An object within the policy; empty when it is absent. */
export function section(policy: JsonObject, scheme: string, name: string): JsonObject {
  const value = policy[name] ?? {}
  if (!isObject(value)) throw invalidPolicy(`"${name}" of "${scheme}" authentication must be an object.`)
  return value
}

/** An http or https URL out of a policy; throws a configuration error that names the setting. */
export function policyUrl(setting: string, text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:')
    throw invalidPolicy(`"${setting}" is ${JSON.stringify(text)}, which is no http or https URL.`)
  return text
}

/** The same for an address that paths are put behind: without a slash at its end. */
export function authorityUrl(setting: string, text: string): string {
  return policyUrl(setting, text).replace(/\/+$/, '')
}

import type { Random } from './random.ts'
import type { Material } from './values.ts'

const id = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/
const email = /^[\w+.-]+@example\.com$/
/** Names under which examples have values of their own. */
const kept = new Set(['document', 'templateId'])

/** A value of a valid request, with the ids and texts of the account that sends it now. */
export function adapted(value: unknown, random: Random, material: Material, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => adapted(item, random, material))
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [key, adapted(member, random, material, key)] as const)
    // Names of definitions are unique within an account.
    return 'dsl' in value ? { ...Object.fromEntries(members), name: `fuzz-${random.int(1e9)}` } : Object.fromEntries(members)
  }
  if (typeof value !== 'string') return value
  const text = kept.has(name) ? undefined : material.textOf(name)
  if (text !== undefined) return text
  if (email.test(value)) return `fuzz-${random.int(1e9)}@example.com`
  const prefix = id.exec(value)?.[1]
  return prefix !== undefined && material.hasIds(prefix) ? material.idOf(prefix, random) : value
}

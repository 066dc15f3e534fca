import { isArray, type Json } from '#core/json.ts'

const TEXT_MAX = 60
const LIST_MAX = 10

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null'
  if (typeof value === 'object') return isArray(value) ? 'array' : 'object'
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean'
}

export function withArticle(type: string): string {
  if (type === 'null') return type
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** A text in quotes, cut where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…`.toWellFormed() : text.toWellFormed())
}

/** A value, cut where it is long or deep. */
export function brief(value: Json, depth = 2): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (isArray(value)) return `[${depth === 0 && value.length > 0 ? '…' : listed(value, (item) => brief(item, depth - 1))}]`
  const names = Object.keys(value)
  return `{${depth === 0 && names.length > 0 ? '…' : listed(names, (name) => `${quoted(name)}: ${brief(value[name] ?? null, depth - 1)}`)}}`
}

/** The first of a list, in words. */
export function listed<T>(items: readonly T[], inWords: (item: T) => string): string {
  const shown = items.slice(0, LIST_MAX).map(inWords)
  return [...shown, ...(items.length > LIST_MAX ? ['…'] : [])].join(', ')
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

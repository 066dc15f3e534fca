import { isArray, type Json } from '#core/json.ts'
import { canonical } from '#schema/canonical.ts'
import type { Keyword, Rules } from '#schema/rule.ts'
import type { Run } from '#schema/run.ts'
import { brief, listed, typeOf, withArticle } from '#schema/fault-wording.ts'
import { listOf } from './given.ts'

/** Keywords that speak of a value as a whole. */
export const valueKeywords: Readonly<Record<string, Keyword>> = {
  type: (given, node, { any }) => {
    const types = isArray(given)
      ? given.map(String)
      : typeof given === 'string'
        ? [given]
        : node.refuse('type', 'a name or a list of names')
    any.push((value, run, _seen, at) => isOneOf(value, types) || (at !== undefined && run.report(at, typeDetail(value, types))))
  },
  const: (given, _node, rules) => equalsOne([given], `must be ${brief(given)}`, rules),
  enum: (given, node, rules) => {
    const values = listOf(given, node, 'enum')
    equalsOne(values, `must be one of ${listed(values, (value) => brief(value))}`, rules)
  },
}

/** Whether a value is of one of these types. An integer is a number without a fraction, however it is written. */
export function isOneOf(value: Json, types: readonly string[]): boolean {
  const type = typeOf(value)
  return types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(value))
}

export function typeDetail(value: Json, types: readonly string[]): string {
  const is = typeof value === 'number' && types.includes('integer') ? String(value) : withArticle(typeOf(value))
  return `must be ${types.map(withArticle).join(' or ')}, but is ${is}`
}

function equalsOne(values: readonly Json[], detail: string, { any }: Rules): void {
  const simple = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  const composed = new Set(values.filter((value) => typeof value === 'object' && value !== null).map((value) => canonical(value)))
  const isEqual = (value: Json, run: Run) =>
    typeof value === 'object' && value !== null ? composed.size > 0 && composed.has(canonical(value, run)) : simple.has(value)
  any.push((value, run, _seen, at) => isEqual(value, run) || (at !== undefined && run.report(at, detail)))
}

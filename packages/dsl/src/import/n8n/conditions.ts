import { at, type Data, isRecord, listOf, own, textOf } from '#src/import/value.ts'
import type { NodeFields } from './fields.ts'

/** jq of the conditions of If, Switch and Filter, in the form of version 1 (by type) or 2 (a list). */
export function conditionOf(fields: NodeFields, conditions: unknown, combine: unknown): string {
  const list = at(conditions, 'conditions')
  if (Array.isArray(list))
    return joined(
      list.map((one) => (isRecord(one) ? modern(fields, one) : 'true')),
      at(conditions, 'combinator') === 'or',
    )
  const parts = isRecord(conditions)
    ? Object.entries(conditions).flatMap(([type, ones]) =>
        listOf(ones).map((one) =>
          isRecord(one)
            ? comparison(fields, type, textOf(one['operation']) || (type === 'number' ? 'smaller' : 'equal'), one['value1'], one['value2'])
            : 'true',
        ),
      )
    : []
  return joined(parts, combine === 'any')
}

function joined(parts: readonly string[], any: boolean): string {
  return parts.length === 0 ? 'true' : parts.map((part) => `(${part})`).join(any ? ' or ' : ' and ')
}

function modern(fields: NodeFields, one: Data): string {
  return comparison(
    fields,
    textOf(at(one, 'operator', 'type')) || 'string',
    textOf(at(one, 'operator', 'operation')) || 'equals',
    one['leftValue'],
    one['rightValue'],
  )
}

const signs: Readonly<Record<string, string>> = {
  gt: '>',
  larger: '>',
  after: '>',
  lt: '<',
  smaller: '<',
  before: '<',
  gte: '>=',
  largerEqual: '>=',
  afterOrEquals: '>=',
  lte: '<=',
  smallerEqual: '<=',
  beforeOrEquals: '<=',
}

/** jq of one comparison. An operation that is not known is reported and true of nothing. */
export function comparison(fields: NodeFields, type: string, operation: string, leftValue: unknown, rightValue: unknown): string {
  const negative = /^not(?!Equal)/.test(operation)
  const left = fields.jq(leftValue)
  const empty = `(${left} | . == null or . == "" or . == [] or . == {})`
  if (/^(is)?empty$/i.test(operation)) return empty
  if (/^(is)?notEmpty$/i.test(operation)) return `(${empty} | not)`
  if (operation === 'exists') return `${left} != null`
  if (operation === 'notExists') return `${left} == null`
  if (operation === 'true') return `${left} == true`
  if (operation === 'false') return `${left} == false`
  const right = fields.jq(rightValue)
  const number = (jq: string) => `(${jq} | if type == "string" then (try tonumber catch null) else . end)`
  const text = (jq: string) => `(${jq} | if . == null then "" else tostring end)`
  const side = type === 'number' ? number : type === 'string' ? text : (jq: string) => jq
  if (/^equals?$/.test(operation)) return `${side(left)} == ${side(right)}`
  if (/^notEquals?$/.test(operation)) return `${side(left)} != ${side(right)}`
  const sign = own(signs, operation)
  if (sign !== undefined)
    return `${type === 'number' || operation.startsWith('length') ? number(left) : left} ${sign} ${type === 'number' ? number(right) : right}`
  const length = /^length(Equals|NotEquals|Gte|Lte|Gt|Lt)$/.exec(operation)?.[1]
  if (length !== undefined)
    return `(${left} | length) ${{ Equals: '==', NotEquals: '!=', Gt: '>', Lt: '<', Gte: '>=', Lte: '<=' }[length] ?? '=='} ${number(right)}`
  const matched = matching(operation.replace(/^not/, '').toLowerCase(), type, left, right, text)
  if (matched !== undefined) return negative ? `(${matched} | not)` : matched
  fields.report('adapted', `The comparison "${operation.slice(0, 60)}" has no counterpart; it is false here. Write the condition in jq.`)
  return 'false'
}

function matching(operation: string, type: string, left: string, right: string, text: (jq: string) => string): string | undefined {
  if (operation === 'contains')
    return type === 'array'
      ? `(${right} as $one | ${left} | any(.[]?; . == $one))`
      : `(${text(right)} as $one | ${text(left)} | contains($one))`
  if (operation === 'startswith') return `(${text(right)} as $one | ${text(left)} | startswith($one))`
  if (operation === 'endswith') return `(${text(right)} as $one | ${text(left)} | endswith($one))`
  if (operation === 'regex') return `(${text(right)} as $one | ${text(left)} | test($one))`
  return undefined
}

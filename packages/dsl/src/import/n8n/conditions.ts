import { at, type Data, isRecord, listOf, own, textOf } from '#src/import/value.ts'
import type { NodeFields } from './fields.ts'
import { clause, term } from './jq-text.ts'

/** How n8n compares: values of another type are errors (strict) or converted, and a missing number of version 1 is 0. */
interface Manner {
  readonly isStrict: boolean
  readonly ignoresCase: boolean
  readonly missing: 'null' | '0'
}

interface Comparison extends Manner {
  readonly operation: string
  readonly left: string
  /** What it is compared with, as jq and, if it is known, as a constant. */
  readonly right: string
  readonly constant: unknown
}

/** jq of the conditions of If, Switch and Filter over `$item`, in the form of version 1 (by type) or 2 (a list). */
export function conditionOf(fields: NodeFields, conditions: unknown, combine: unknown): string {
  const list = at(conditions, 'conditions')
  if (Array.isArray(list)) {
    const manner = mannerOf(fields, at(conditions, 'options'))
    return joined(
      list.map((one) => (isRecord(one) ? modern(fields, one, manner) : 'true')),
      at(conditions, 'combinator') === 'or' ? 'or' : 'and',
    )
  }
  const parts = isRecord(conditions)
    ? Object.entries(conditions).flatMap(([type, ones]) =>
        listOf(ones).map((one) =>
          isRecord(one)
            ? comparison(fields, type, textOf(one['operation']) || (type === 'number' ? 'smaller' : 'equal'), one['value1'], one['value2'])
            : 'true',
        ),
      )
    : []
  return joined(parts, combine === 'any' ? 'or' : 'and')
}

function mannerOf({ node: { parameters } }: NodeFields, options: unknown): Manner {
  const isLoose = parameters['looseTypeValidation'] === true || at(parameters, 'options', 'looseTypeValidation') === true
  const ignoresCase = at(options, 'caseSensitive') === false || at(parameters, 'options', 'ignoreCase') === true
  return { isStrict: !isLoose && at(options, 'typeValidation') === 'strict', ignoresCase, missing: 'null' }
}

function joined(parts: readonly string[], word: 'and' | 'or'): string {
  if (parts.length === 0) return 'true'
  return parts.length === 1 ? (parts[0] ?? 'true') : parts.map(clause).join(` ${word} `)
}

function modern(fields: NodeFields, one: Data, manner: Manner): string {
  const [type, operation] = [textOf(at(one, 'operator', 'type')) || 'string', textOf(at(one, 'operator', 'operation')) || 'equals']
  return compared(fields, type, operation, one['leftValue'], one['rightValue'], manner)
}

/** jq of one comparison as of version 1. */
export function comparison(fields: NodeFields, type: string, operation: string, left: unknown, right: unknown): string {
  return compared(fields, type, operation, left, right, { isStrict: false, ignoresCase: false, missing: '0' })
}

/** An operation that is not known is reported and true of nothing. */
function compared(fields: NodeFields, type: string, operation: string, left: unknown, right: unknown, manner: Manner): string {
  const constant = typeof right === 'string' && right.startsWith('=') ? undefined : right
  const given = { ...manner, operation, left: term(fields.jq(left)), right: '', constant }
  const ofOne = alone(type, given)
  if (ofOne !== undefined) return ofOne
  const isNumber = type === 'number' || operation.startsWith('length')
  const both = { ...given, right: term(fields.jq(isNumber ? numeric(right) : right)) }
  const found = own({ string: texts, number: numbers, array: lists, dateTime: dates }, type)?.(both, fields) ?? plain(both)
  if (found !== undefined) return found
  fields.report('adapted', `The comparison "${operation.slice(0, 60)}" has no counterpart; it is false here. Write the condition in jq.`)
  return 'false'
}

function numeric(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}

/** Of one value. */
function alone(type: string, { operation, left, isStrict }: Comparison): string | undefined {
  const nothing = own({ string: '""', array: '[]', object: '{}' }, type)
  if (/^(is)?empty$/i.test(operation)) return nothing === undefined ? `${left} == null` : `(${left} // ${nothing}) == ${nothing}`
  if (/^(is)?notEmpty$/i.test(operation)) return nothing === undefined ? `${left} != null` : `(${left} // ${nothing}) != ${nothing}`
  if (operation === 'exists') return `${left} != null`
  if (operation === 'notExists') return `${left} == null`
  const yes = isStrict ? `${left} == true` : `(${left} | IN(null, false, "", 0, "0", "false") | not)`
  if (operation === 'true') return yes
  if (operation === 'false') return isStrict ? `(${left} | not)` : `(${left} | IN(null, false, "", 0, "0", "false"))`
  return undefined
}

const equality: Readonly<Record<string, string>> = { equal: '==', equals: '==', notEqual: '!=', notEquals: '!=' }
const order: Readonly<Record<string, string>> = {
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

function texts(given: Comparison): string | undefined {
  const { operation, constant, ignoresCase } = given
  const sign = own(equality, operation)
  const lower = (jq: string) => (ignoresCase ? `(${jq} | ascii_downcase)` : jq)
  const right =
    typeof constant === 'string' ? JSON.stringify(ignoresCase && !/regex/i.test(operation) ? constant.toLowerCase() : constant) : undefined
  // A number or a boolean cannot be equal to such a text, whether it is converted or not.
  const isWord = typeof constant === 'string' && constant !== '' && !/^(?:[-\d.]|true$|false$|null$|[[{])/.test(constant)
  if (sign !== undefined && isWord && !ignoresCase) return `${given.left} ${sign} ${right}`
  const [one, other] = [asText(given.left, given), right ?? lower(asText(given.right, given))]
  if (sign !== undefined) return `${lower(one)} ${sign} ${other}`
  const name = own({ contains: 'contains', startswith: 'startswith', endswith: 'endswith' }, operation.replace(/^not/, '').toLowerCase())
  const not = operation.startsWith('not') ? ' | not' : ''
  if (name !== undefined)
    return `(${[one.replace(/^\((.*)\)$/s, '$1'), ...(ignoresCase ? ['ascii_downcase'] : []), `${name}(${other})`].join(' | ')}${not})`
  if (!/^(?:not)?regex$/i.test(operation)) return undefined
  const [, pattern, flags = ''] = (typeof constant === 'string' && /^\/(.*)\/([a-z]*)$/s.exec(constant)) || []
  const test =
    pattern === undefined ? `test(${right ?? other})` : `test(${JSON.stringify(pattern)}; ${JSON.stringify(flags.replace(/[^isx]/g, ''))})`
  return `(${one.replace(/^\((.*)\)$/s, '$1')} | ${test}${not})`
}

/** A value as a text. A missing one is the empty text. */
function asText(jq: string, { isStrict, constant }: Comparison): string {
  if (/^"(?:[^"\\]|\\[^(])*"$/.test(jq)) return jq
  if (isStrict) return `(${jq} // "")`
  // `//` would also replace false.
  const isApart = typeof constant === 'string' && constant !== '' && !'false'.includes(constant.toLowerCase())
  return isApart ? `(${jq} // "" | tostring)` : `(${jq} | if . == null then "" else tostring end)`
}

function numbers({ operation, left, right, constant, isStrict, missing }: Comparison): string | undefined {
  const isKnown = typeof numeric(constant) === 'number'
  const value = missing === '0' ? `${left} // 0` : left
  const other = missing === '0' ? `${right} // 0` : right
  const same = own(equality, operation)
  if (same !== undefined)
    return isStrict
      ? `${left} ${same} ${right}`
      : `(${value} | tonumber? // null) ${same} ${isKnown ? right : `(${other} | tonumber? // null)`}`
  const sign = own(order, operation)
  if (sign === undefined) return undefined
  // In jq null is less than every number; in n8n a missing value is neither less nor greater.
  if (!isStrict && sign.startsWith('>') && isKnown) return `(${value} | tonumber? // null) ${sign} ${right}`
  if (!isStrict) return `((${value} | tonumber?) ${sign} ${isKnown ? right : `(${other} | tonumber?)`}) // false`
  const present = [...(sign.startsWith('<') ? [left] : []), ...(isKnown ? [] : [right])].map((one) => `${one} != null and `)
  return `${present.join('')}${left} ${sign} ${right}`
}

function lists({ operation, left, right }: Comparison): string | undefined {
  const [, not, kind] = /^(not)?(contains)$/i.exec(operation) ?? []
  if (kind !== undefined) return `(${left} // [] | any(.[]; . == ${right})${not === undefined ? '' : ' | not'})`
  const sign = own({ Equals: '==', NotEquals: '!=', Gte: '>=', Lte: '<=', Gt: '>', Lt: '<' }, operation.replace(/^length/, ''))
  return sign === undefined ? undefined : `(${left} // [] | length) ${sign} ${right}`
}

function dates({ operation, left, right }: Comparison, fields: NodeFields): string | undefined {
  const sign = own(order, operation) ?? own(equality, operation)
  if (sign === undefined) return undefined
  fields.report('adapted', 'Dates are compared as texts: both have to be written in the same form, such as 2026-01-31T08:00:00Z.')
  return `${left} != null and ${right} != null and ${left} ${sign} ${right}`
}

function plain({ operation, left, right }: Comparison): string | undefined {
  const sign = own(equality, operation) ?? own(order, operation)
  return sign === undefined ? undefined : `${left} ${sign} ${right}`
}

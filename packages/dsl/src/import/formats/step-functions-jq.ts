import { isRecord, listOf, textOf } from '#src/import/value.ts'
import { pathJq } from './template.ts'

type Unknown = (why: string) => void

/** jq of a reference path such as `$.order.items[0]`; the whole input where it is absent, and null where it is more than a path. */
export function pathOf(path: unknown, unknown: Unknown): string {
  if (path === undefined) return '.'
  if (path === null) return '{}'
  const jq = referenceJq(textOf(path))
  if (jq === undefined) unknown(`The path ${textOf(path).slice(0, 200)} has no certain counterpart and gives null.`)
  return jq ?? 'null'
}

function referenceJq(path: string): string | undefined {
  if (!path.startsWith('$') || path.startsWith('$$')) return undefined
  const jq = pathJq(path.slice(1))
  return jq === undefined ? undefined : jq === '' ? '.' : `.${jq}`.replaceAll(']?', ']')
}

/** jq of a payload template: members whose name ends with `.$` are paths or intrinsic functions. */
export function payloadJq(value: unknown, options: { readonly unknown: Unknown; readonly item: boolean }): string {
  if (Array.isArray(value)) return `[${value.map((one) => payloadJq(one, options)).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(([key, one]) => {
    if (!key.endsWith('.$')) return `${JSON.stringify(key)}: ${payloadJq(one, options)}`
    const jq = expressionJq(textOf(one), options.item)
    if (jq === undefined) options.unknown(`${key}: ${textOf(one).slice(0, 200)} has no certain counterpart and gives null.`)
    return `${JSON.stringify(key.slice(0, -2))}: (${jq ?? 'null'})`
  })
  return `{${members.join(', ')}}`
}

/** Calls inside of calls. */
const callsMax = 20

function expressionJq(text: string, item: boolean, depth = 0): string | undefined {
  if (item && text === '$$.Map.Item.Value') return '$item'
  if (item && text === '$$.Map.Item.Index') return '$index'
  if (item && text.startsWith('$$.Map.Item.Value')) {
    const rest = pathJq(text.slice('$$.Map.Item.Value'.length))
    return rest === undefined ? undefined : `$item | .${rest}`
  }
  if (text === '$$.Execution.Id') return '$workflow.id'
  if (text.startsWith('$')) return referenceJq(text)
  return depth > callsMax ? undefined : intrinsicJq(text, depth)
}

/** The intrinsic functions whose meaning is that of jq. */
function intrinsicJq(text: string, depth: number): string | undefined {
  const [, name, inner = ''] = /^States\.(\w+)\(([\s\S]*)\)$/.exec(text.trim()) ?? []
  if (name === undefined) return undefined
  const args = argumentsOf(inner).map((one) => (one.startsWith("'") ? one : expressionOf(one, depth + 1)))
  const jqs = args.map((one) => (one?.startsWith("'") === true ? JSON.stringify(one.slice(1, -1).replaceAll(/\\(.)/g, '$1')) : one))
  if (jqs.some((one) => one === undefined)) return undefined
  const [first = 'null', second = 'null'] = jqs.map((one) => one ?? 'null')
  switch (name) {
    case 'Format': {
      const pieces = (args[0] ?? "''").slice(1, -1).split('{}')
      const values = jqs.slice(1).map((one) => `(${one} | if type == "string" then . else tostring end)`)
      return `(${pieces.flatMap((piece, index) => [JSON.stringify(piece), ...(index < pieces.length - 1 ? [values[index] ?? '""'] : [])]).join(' + ')})`
    }
    case 'StringToJson':
      return `(${first} | fromjson)`
    case 'JsonToString':
      return `(${first} | tojson)`
    case 'Array':
      return `[${jqs.join(', ')}]`
    case 'ArrayLength':
      return `(${first} | length)`
    case 'ArrayGetItem':
      return `(${first})[${second}]`
    case 'ArrayContains':
      return `((${first}) | any(. == (${second})))`
    case 'ArrayUnique':
      return `(${first} | unique)`
    case 'MathAdd':
      return `((${first}) + (${second}))`
    case 'StringSplit':
      return `((${first}) | split(${second}))`
    case 'Base64Encode':
      return `(${first} | @base64)`
    case 'Base64Decode':
      return `(${first} | @base64d)`
    default:
      return undefined
  }
}

function expressionOf(text: string, depth: number): string | undefined {
  return /^-?\d+(?:\.\d+)?$|^(?:true|false|null)$/.test(text) ? text : expressionJq(text, false, depth)
}

/** Arguments apart from commas in texts and in calls. */
function argumentsOf(text: string): readonly string[] {
  const found: string[] = []
  let [depth, isQuoted, from] = [0, false, 0]
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '\\') index++
    else if (character === "'") isQuoted = !isQuoted
    else if (!isQuoted && character === '(') depth++
    else if (!isQuoted && character === ')') depth--
    else if (!isQuoted && depth === 0 && character === ',') {
      found.push(text.slice(from, index).trim())
      from = index + 1
    }
  }
  const last = text.slice(from).trim()
  return last === '' ? found : [...found, last]
}

const signs: Readonly<Record<string, string>> = {
  Equals: '==',
  LessThan: '<',
  GreaterThan: '>',
  LessThanEquals: '<=',
  GreaterThanEquals: '>=',
}
const types: Readonly<Record<string, string>> = { String: 'string', Numeric: 'number', Boolean: 'boolean', Timestamp: 'string' }

/** jq of a choice rule; undefined where it has no certain counterpart. */
export function choiceJq(rule: unknown, depth = 0): string | undefined {
  if (!isRecord(rule) || depth > 20) return undefined
  for (const [key, word] of [
    ['And', ' and '],
    ['Or', ' or '],
  ] as const) {
    if (rule[key] === undefined) continue
    const inner = listOf(rule[key]).map((one) => choiceJq(one, depth + 1))
    return inner.length === 0 || inner.includes(undefined) ? undefined : `(${inner.join(word)})`
  }
  if (rule['Not'] !== undefined) {
    const inner = choiceJq(rule['Not'], depth + 1)
    return inner === undefined ? undefined : `(${inner} | not)`
  }
  const variable = referenceJq(textOf(rule['Variable']))
  const operator = Object.keys(rule).find((key) => !['Variable', 'Next', 'Comment', 'Output', 'Assign'].includes(key))
  return variable === undefined || operator === undefined ? undefined : comparisonJq(variable, operator, rule[operator])
}

function comparisonJq(variable: string, operator: string, value: unknown): string | undefined {
  const safe = `(try (${variable}) catch null)`
  const is = (test: string) => (value === false ? `(${test} | not)` : `(${test})`)
  if (operator === 'IsPresent') return is(`[try (${variable}) catch null | select(. != null)] | length > 0`)
  if (operator === 'IsNull') return is(`${safe} == null`)
  const type = /^Is(String|Numeric|Boolean)$/.exec(operator)?.[1]
  if (type !== undefined) return is(`${safe} | type == "${types[type] ?? ''}"`)
  if (operator === 'StringMatches') {
    const pattern = textOf(value)
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
    return `(${safe} | type == "string" and test(${JSON.stringify(`^${pattern}$`)}))`
  }
  const [, kind = '', sign = '', path] =
    /^(String|Numeric|Boolean|Timestamp)(Equals|LessThan|GreaterThan|LessThanEquals|GreaterThanEquals)(Path)?$/.exec(operator) ?? []
  const mark = signs[sign]
  if (mark === undefined) return undefined
  const other = path === undefined ? JSON.stringify(value) : referenceJq(textOf(value))
  return other === undefined
    ? undefined
    : `(. as $in | ${safe} as $value | ($value | type) == "${types[kind] ?? ''}" and $value ${mark} ($in | ${other}))`
}

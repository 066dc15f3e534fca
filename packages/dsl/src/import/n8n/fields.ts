import { splitBraces } from '#src/import/braces.ts'
import type { ImportFinding } from '#src/import/report.ts'
import { isRecord } from '#src/import/value.ts'
import { type ExpressionNames, inText, toJq } from './expression/to-jq.ts'
import { term } from './jq-text.ts'
import type { N8nNode } from './read-export.ts'

/** What a converter of a node uses: its parameters as jq, and what it reports. */
export interface NodeFields {
  readonly node: N8nNode
  /** jq of a parameter over `$item`, `$index`, `$items`. Objects and lists are translated member by member. */
  jq(value: unknown): string
  /** A parameter as it stands in a task: a constant, or one `${ … }`. */
  leaf(value: unknown): unknown
  report(outcome: ImportFinding['outcome'], reason: string, path?: string): void
  /** The name of a secret for a credential of the node. */
  secret(kind: string): string
  /** Expressions that only JavaScript can compute, by the name under which jq reads them. */
  readonly computed: Map<string, string>
}

export interface FieldsDeps {
  readonly names: ExpressionNames
  readonly report: NodeFields['report']
  readonly secret: NodeFields['secret']
}

const depthMax = 40

export function nodeFields(node: N8nNode, { names, report, secret }: FieldsDeps): NodeFields {
  const computed = new Map<string, string>()
  return { node, jq: (value) => jqOf(value, 0), leaf, report, secret, computed }

  function jqOf(value: unknown, depth: number): string {
    if (depth > depthMax) return JSON.stringify('…')
    if (typeof value === 'string') return textJq(value)
    if (Array.isArray(value)) return `[${value.map((one) => term(jqOf(one, depth + 1))).join(', ')}]`
    if (isRecord(value)) {
      if (value['__rl'] === true) return jqOf(value['value'], depth + 1)
      const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${term(jqOf(one, depth + 1))}`)
      return `{${members.join(', ')}}`
    }
    return value === undefined ? 'null' : JSON.stringify(value)
  }

  function leaf(value: unknown): unknown {
    if (typeof value === 'string' && !value.startsWith('=') && !value.includes('${')) return value
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
    return `\${ ${jqOf(value, 0)} }`
  }

  function textJq(text: string): string {
    if (!text.startsWith('=')) return JSON.stringify(text)
    const pieces = splitBraces(withoutInner(text.slice(1)), true)
    const last = pieces.length - 1
    if (last === 2 && pieces[0]?.trim() === '' && pieces[2]?.trim() === '') return expression(pieces[1] ?? '').jq
    const parts = pieces.map((piece, index) => (index % 2 === 0 ? JSON.stringify(piece).slice(1, -1) : `\\(${inText(expression(piece))})`))
    return `"${parts.join('')}"`
  }

  function expression(source: string) {
    const translated = toJq(source, names)
    if (translated !== undefined)
      return isSafe(translated.jq) ? translated : { ...translated, jq: `(try ${term(translated.jq)} catch null)` }
    const name = `v${computed.size + 1}`
    computed.set(name, source.trim().replace(/;+$/, ''))
    if (/\$binary|\$fromAI|\$jmespath|\$secrets/.test(source))
      report('adapted', `An expression reads what Millrace does not have: ${source.trim().slice(0, 120)}. Replace it.`)
    return { jq: `$values[$index].${name}`, type: 'any' as const }
  }
}

/** What an outer expression holds within quotes: some exports have placeholders of variables inside of expressions. */
const innerVariable = /(["'`])\{\{ ?(\$(?:env|vars)\.\w{1,100}) ?\}\}([^"'`\n{}]{0,500})\1/g

/** The text with each placeholder inside of an expression as part of that expression. */
function withoutInner(text: string): string {
  let [read, depth] = [0, 0]
  return text.replace(innerVariable, (whole, quote: string, variable: string, rest: string, offset: number) => {
    depth += braces(text, read, offset)
    read = offset
    if (depth <= 0) return whole
    return rest === '' ? variable : `(${variable} + ${quote}${rest}${quote})`
  })
}

/** How many more double braces open than close in a part of a text. */
function braces(text: string, from: number, to: number): number {
  const part = text.slice(from, to)
  return part.split('{{').length - part.split('}}').length
}

/** Whether jq cannot fail: an item is an object, and members of null are null. In n8n an expression that fails is empty. */
function isSafe(jq: string): boolean {
  return safe.test(jq)
}

const safe =
  /^(?:(?:\$item|\$one\["[^"]*"\])(?:\.\w+|\.(?:body|headers|query|params)(?:\.\w+|\["[^"\\]*"\]))?|\$index|\$variables\.\w+|\$workflow\.id|"[^"\\]*"|-?[\d.]+|true|false|null)$/

import { insertValue } from '#src/editor/inspector/picking/insert-value.ts'
import type { Inserted, Typed } from '#src/editor/inspector/picking/typed.ts'

/** A line of YAML: what is before its value, and the value. */
const line = /^(\s*(?:- +)*(?:(?:[\w.$-]+|"[^"]*"|'[^']*'):(?: +|$))?)(.*)$/

/** Puts a jq path into the value of a line of YAML, as `insertValue` does. Of a value that is no scalar of one line only the caret's place changes. */
export function insertIntoYaml({ text, from, to }: Typed, path: string): Inserted {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const end = text.indexOf('\n', from) === -1 ? text.length : text.indexOf('\n', from)
  const [, head = '', value = ''] = line.exec(text.slice(start, end)) ?? []
  const written = scalarOf(value.trim() === '' ? '' : value)
  if (to > end || written === undefined) {
    const put = quoted(`\${ ${path} }`)
    return { text: `${text.slice(0, from)}${put}${text.slice(to)}`, caret: from + put.length }
  }
  const before = `${text.slice(0, start)}${head}${head.endsWith(':') ? ' ' : ''}`
  const lead = start + head.length + (/^["']/.test(value) ? 1 : 0)
  const inside = (at: number) => Math.max(0, Math.min(at - lead, written.length))
  const next = insertValue({ text: written, from: inside(from), to: inside(to) }, path, 'text')
  const caret = before.length + quoted(next.text.slice(0, next.caret)).length - 1
  return { text: `${before}${quoted(next.text)}${text.slice(end)}`, caret }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The text that a scalar of one line stands for; undefined for other values. */
function scalarOf(value: string): string | undefined {
  if (/^'(?:[^']|'')*' *$/.test(value)) return value.trim().slice(1, -1).replaceAll("''", "'")
  if (/^"(?:[^"\\]|\\["\\/bfnrt])*" *$/.test(value)) return String(JSON.parse(value))
  return /^[|>{[&*!"'%@`]/.test(value) || value.includes(' #') ? undefined : value
}

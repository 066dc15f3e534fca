import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import type { Edit, TextChange } from '#src/edit/edit.ts'
import { editText } from '#src/edit/edit-text.ts'
import { locateExpression } from '#src/expression/runtime-expression.ts'
import type { Json } from '#src/json.ts'
import type { ParsedDefinition } from '#src/parse/parse-definition.ts'
import { childPointer, pointerKeys, pointerOf } from '#src/parse/pointer.ts'
import { absentReads } from '#src/reads/data-lacks.ts'
import { keptData } from '#src/reads/kept-data.ts'
import { shapeAt } from '#src/shape/shape-at.ts'
import { isObject } from '#src/shape/variables.ts'
import type { CatalogFunction } from '#src/validate/options.ts'
import { quoted as inQuotes } from '#src/validate/wording.ts'
import { defaultsOf } from './defaults-of.ts'
import type { Fix } from './fix.ts'
import { withoutHabits } from './habits.ts'

/** A mistake in its document. */
interface Mistake {
  readonly parsed: ParsedDefinition
  readonly document: Json
  readonly diagnostic: Diagnostic
  readonly value: Json | undefined
  readonly functions: readonly CatalogFunction[] | undefined
}

/** What may correct a diagnostic; the caller tries it. */
export function proposalsFor(parsed: ParsedDefinition, diagnostic: Diagnostic, functions?: readonly CatalogFunction[]): readonly Fix[] {
  const { document } = parsed
  if (document === undefined) return []
  const mistake = { parsed, document, diagnostic, functions, value: valueAt(document, diagnostic.pointer) }
  return [
    ...respelled(mistake),
    ...asExpression(mistake),
    ...interpolated(mistake),
    ...otherOperators(mistake),
    ...asList(mistake),
    ...listedSecret(mistake),
    ...readElsewhere(mistake),
    ...percentEncoded(mistake),
    ...ofOtherType(mistake),
    ...completed(mistake),
    ...leadingOn(mistake),
    ...branched(mistake),
    ...notAsked(mistake),
    ...removed(mistake),
  ]
}

/** The word that was probably meant, in place of the one that is there. */
function respelled({ parsed, diagnostic }: Mistake): readonly Fix[] {
  const [, dollar = '', quoted, bare] = /^Did you mean (\$)?(?:"((?:[^"\\]|\\.)*)"|(\w+))\?$/.exec(diagnostic.hint ?? '') ?? []
  const word = quoted ?? bare
  if (word === undefined || word.includes('…') || word.includes('\\')) return []
  const span = spanOf(parsed, diagnostic)
  const written = parsed.source.slice(span.from, span.to)
  const isText = diagnostic.expression === undefined && /^["']/.test(written)
  const insert = isText ? `${written[0]}${word}${written[0]}` : `${dollar}${word}`
  return [{ title: `Write ${dollar}${word}`, changes: [{ ...span, insert }], safe: true }]
}

function spanOf({ source }: ParsedDefinition, { line, column, endLine, endColumn }: Diagnostic): Pick<TextChange, 'from' | 'to'> {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  const offset = (row: number, place: number) => (starts[row - 1] ?? 0) + place - 1
  return { from: offset(line, column), to: offset(endLine ?? line, endColumn ?? column) }
}

/** The text as the expression that the hint shows. */
function asExpression(mistake: Mistake): readonly Fix[] {
  const { hint = '', code } = mistake.diagnostic
  const shown = /^Write '?(\$\{[^]*\})'?(?: to have it evaluated| for the variable)?\.$/.exec(hint)?.[1]
  if (
    shown === undefined ||
    shown.includes('…') ||
    !['looks_like_expression', 'embedded_expression', 'uri_variable', 'invalid_value'].includes(code)
  )
    return []
  return edited(mistake, `Write ${shown}`, true, { kind: 'set', pointer: mistake.diagnostic.pointer, value: shown })
}

/** `\( … )` in place of `${ … }` in a text inside of an expression. */
function interpolated(mistake: Mistake): readonly Fix[] {
  const { value, diagnostic } = mistake
  const { code, expression, pointer, hint = '' } = diagnostic
  const written = /^Write (\\\([^]*\)) in place of it\.$/.exec(hint)?.[1]
  if (code !== 'embedded_expression' || expression === undefined || written === undefined || typeof value !== 'string') return []
  const { offset } = locateExpression(value)
  const whole = value.slice(0, offset + expression.start) + written + value.slice(offset + expression.end)
  return edited(mistake, `Write ${written}`, true, { kind: 'set', pointer, value: whole })
}

/** Operators of other languages as those of jq. */
function otherOperators(mistake: Mistake): readonly Fix[] {
  const { value, diagnostic } = mistake
  if (diagnostic.code !== 'invalid_expression' || typeof value !== 'string') return []
  const { source, offset } = locateExpression(value)
  const next = withoutHabits(source, diagnostic)
  if (next === undefined) return []
  const whole = value.slice(0, offset) + next + value.slice(offset + source.length)
  return edited(mistake, `Write ${next.trim()}`, true, { kind: 'set', pointer: diagnostic.pointer, value: whole })
}

/** All results of an expression as a list. */
function asList(mistake: Mistake): readonly Fix[] {
  const { value, diagnostic } = mistake
  if (diagnostic.code !== 'several_results' || diagnostic.hint?.includes('[ … ]') !== true || typeof value !== 'string') return []
  const { source, offset } = locateExpression(value)
  const next = source.replace(/\S[^]*\S|\S/, (written) => `[${written}]`)
  const whole = value.slice(0, offset) + next + value.slice(offset + source.length)
  return edited(mistake, `Write ${next.trim()}`, false, { kind: 'set', pointer: diagnostic.pointer, value: whole })
}

function listedSecret(mistake: Mistake): readonly Fix[] {
  const { diagnostic, document } = mistake
  const name = /^The secret "([^"\\…]+)"/.exec(diagnostic.message)?.[1]
  if (diagnostic.code !== 'undeclared_secret' || name === undefined) return []
  const listed = valueAt(document, '/use/secrets')
  const value = [...(Array.isArray(listed) ? listed : []), name]
  return edited(mistake, `List ${name} in use.secrets`, true, { kind: 'set', pointer: '/use/secrets', value })
}

/** The member where it still is, or the data kept by the step that replaced it: first what is probably meant. */
function readElsewhere(mistake: Mistake): readonly Fix[] {
  const { parsed, diagnostic, document, functions } = mistake
  const { code, pointer, expression, hint = '' } = diagnostic
  if (code !== 'replaced_data' || !isObject(document) || hint.startsWith('Did you mean')) return []
  const read = absentReads(document, functions).find(
    ({ at, name }) => pointerOf(at.path) === pointer && diagnostic.message.includes(` ${inQuotes(name)}:`),
  )
  if (read === undefined) return []
  const isCertain = read.known.length === 1 && read.possible.length === 0
  const span = spanOf(parsed, diagnostic)
  const member = parsed.source.slice(span.from, span.to) === read.name ? `${read.name}: ` : ''
  const steps = [...read.known, ...read.possible].toSorted(
    (one, other) => Number(other.startsWith('$steps')) - Number(one.startsWith('$steps')),
  )
  const others = (expression === undefined ? [] : steps.slice(0, namesMax)).map((path): Fix => {
    const insert = `${member}${path}`
    return { title: `Write ${insert}`, changes: [{ ...span, insert }], safe: isCertain }
  })
  const kept = keptData(document, read)
  if (kept === undefined) return others
  const keep = edited(mistake, `Keep the data in ${kept.task}: ${kept.as}`, false, {
    kind: 'set',
    pointer: `${kept.pointer}/output`,
    value: { as: kept.as },
  })
  return kept.as.includes('+') || isCertain ? [...others, ...keep] : [...keep, ...others]
}

/** A value in an address without characters that lead elsewhere. */
function percentEncoded({ parsed, diagnostic }: Mistake): readonly Fix[] {
  const written = /^Write ([^]+ \| @uri\)?)\.$/.exec(diagnostic.hint ?? '')?.[1]
  if (diagnostic.code !== 'unencoded_value' || written === undefined || written.includes('…')) return []
  return [{ title: `Write ${written}`, changes: [{ ...spanOf(parsed, diagnostic), insert: written }], safe: false }]
}

/** A number for a text of one, and the other way round. */
function ofOtherType(mistake: Mistake): readonly Fix[] {
  const { value, diagnostic } = mistake
  if (!['wrong_type', 'invalid_semver', 'unsupported_dsl_version'].includes(diagnostic.code)) return []
  const { pointer } = diagnostic
  const values = typeof value === 'number' || typeof value === 'boolean' ? textsOf(value) : typeof value === 'string' ? readOf(value) : []
  return values.flatMap((next) => edited(mistake, `Write ${JSON.stringify(next)}`, true, { kind: 'set', pointer, value: next }))
}

function textsOf(value: number | boolean): readonly string[] {
  const text = String(value)
  return /^\d+(?:\.\d+)?$/.test(text) ? [text, text.includes('.') ? `${text}.0` : `${text}.0.0`] : [text]
}

function readOf(text: string): readonly Json[] {
  if (/^v?\d+(?:\.\d+)?$/.test(text)) {
    const plain = text.replace(/^v/, '')
    return [Number(plain), plain.includes('.') ? `${plain}.0` : `${plain}.0.0`]
  }
  if (/^v\d+\.\d+\.\d+$/.test(text)) return [text.slice(1)]
  return text === 'true' || text === 'false' ? [text === 'true'] : []
}

/** The property that is missing, with a value to begin with. */
function completed(mistake: Mistake): readonly Fix[] {
  const { diagnostic, document } = mistake
  const names =
    /^Add (?:with: and, below it, )?(?:one of )?([\w, ]+?)(?::(?: to it)?)?\.$/.exec(diagnostic.hint ?? '')?.[1]?.split(', ') ?? []
  if (diagnostic.code !== 'missing_property' || names.length > namesMax) return []
  return names.flatMap((name) => {
    const pointer = childPointer(diagnostic.pointer, name)
    return defaultsOf(shapeAt(document, pointer)?.shape, name).flatMap((value) =>
      edited(mistake, `Add ${name}: ${JSON.stringify(value)}`, false, { kind: 'set', pointer, value }),
    )
  })
}

const namesMax = 4

/** A directive that continues or ends, in place of one to a task that does not exist. */
function leadingOn(mistake: Mistake): readonly Fix[] {
  const { diagnostic } = mistake
  if (diagnostic.code !== 'dangling_then') return []
  return ['continue', 'end'].flatMap((value) =>
    edited(mistake, `Write ${value}`, false, { kind: 'set', pointer: diagnostic.pointer, value }),
  )
}

/** A switch behind an approval that ends the workflow when it is rejected. */
function branched(mistake: Mistake): readonly Fix[] {
  const { diagnostic, document, value } = mistake
  if (diagnostic.code !== 'unread_verdict' || !isObject(value) || ['output', 'export', 'then'].some((key) => key in value)) return []
  const keys = pointerKeys(diagnostic.pointer)
  const list = keys.slice(0, -2).reduce<string>(childPointer, '')
  const at = Number(keys.at(-2)) + 1
  const next = valueAt(document, childPointer(list, at))
  const [then = 'exit'] = isObject(next) ? Object.keys(next) : []
  const ways = [{ approved: { when: '${ .approved }', then } }, { rejected: { then: 'end' } }]
  return edited(mistake, 'End when it is rejected', false, { kind: 'insert', list, at, tasks: [{ decide: { switch: ways } }] })
}

/** The way of an approval for one that its condition skips. */
function notAsked(mistake: Mistake): readonly Fix[] {
  const { diagnostic, value } = mistake
  const { code, hint = '', pointer, expression } = diagnostic
  if (code !== 'skipped_approval' || expression === undefined || typeof value !== 'string') return []
  const written = /^Write ([^]+) to continue when no one is asked\.$/.exec(hint)?.[1]
  if (written !== undefined) {
    const { offset } = locateExpression(value)
    const whole = value.slice(0, offset + expression.start) + written + value.slice(offset + expression.end)
    return edited(mistake, `Write ${written}`, false, { kind: 'set', pointer, value: whole })
  }
  const [, when, then] = /notAsked: \{ when: ([^]+), then: ([^]+) \}\.$/.exec(hint) ?? []
  if (when === undefined || then === undefined) return []
  const list = pointerKeys(pointer).slice(0, -3).reduce<string>(childPointer, '')
  const tasks = [{ notAsked: { when: `\${ ${when} }`, then } }]
  return edited(mistake, 'Continue as approved when no one is asked', false, { kind: 'insert', list, at: 0, tasks })
}

const removable = new Set(['unknown_property', 'conflicting_properties', 'duplicate_name', 'invalid_argument', 'unknown_secret'])

/** Without what is wrong. */
function removed(mistake: Mistake): readonly Fix[] {
  const { pointer, code, hint = '' } = mistake.diagnostic
  const keys = pointerKeys(pointer)
  const name = keys.at(-1) ?? ''
  if (code === 'unreachable_task') {
    const list = keys.slice(0, -2).reduce<string>(childPointer, '')
    return edited(mistake, `Remove ${name}`, false, { kind: 'remove', list, from: Number(keys.at(-2)), count: 1 })
  }
  if (!removable.has(code) || (code === 'invalid_argument' && !hint.startsWith('Remove'))) return []
  const list = keys.slice(0, -1).reduce<string>(childPointer, '')
  const around = valueAt(mistake.document, list)
  if (!Array.isArray(around)) return edited(mistake, `Remove ${name}`, false, { kind: 'unset', pointer })
  const value = around.toSpliced(Number(name), 1)
  return edited(mistake, `Remove ${JSON.stringify(mistake.value ?? name)}`, false, { kind: 'set', pointer: list, value })
}

/** An edit as a fix; none when the text does not allow it. */
function edited({ parsed }: Mistake, title: string, safe: boolean, edit: Edit): readonly Fix[] {
  const result = editText(parsed.source, parsed.format, edit)
  return 'fault' in result
    ? []
    : [{ title: title.length > titleMax ? `${title.slice(0, titleMax - 1)}…` : title, changes: result.changes, safe }]
}

const titleMax = 80

function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)]
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

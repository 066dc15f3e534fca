import { tokenize } from '@millrace/jq'
import type { Json, JsonObject } from '#src/json.ts'
import { pointerOf } from '#src/parse/pointer.ts'
import { absentReads, type AbsentRead } from '#src/reads/data-lacks.ts'
import { keptData } from '#src/reads/kept-data.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Facts, Finding } from '#src/validate/facts.ts'
import type { CatalogFunction } from '#src/validate/options.ts'
import { alternatives, closeName, firstOf, quoted, shortened } from '#src/validate/wording.ts'

/**
 * Warns of an expression that reads a member which the data certainly does not have there, mostly because an earlier step replaced the data. Expressions
 * about which there is another finding are left alone, since they are not meant as they are written.
 */
export function checkReplacedData(facts: Facts, document: Json, functions?: readonly CatalogFunction[]): void {
  if (!isObject(document)) return
  const reads = absentReads(document, functions)
  if (reads.length === 0) return
  const others = new Set(facts.findings.map(({ path }) => pointerOf(path)))
  const seen = new Set<string>()
  for (const read of reads) {
    const pointer = pointerOf(read.at.path)
    const key = `${pointer} ${read.name}`
    if (others.has(pointer) || seen.has(key)) continue
    seen.add(key)
    facts.findings.push(findingOf(read, document, facts))
  }
}

function findingOf(read: AbsentRead, document: JsonObject, { suggestions }: Facts): Finding {
  const { name, at, members } = read
  const close = closeName(suggestions, name, members)
  const place = placeOf(read)
  const member = place?.isNameOnly === true ? `${name}: ` : ''
  const hint = close === undefined ? hintOf(read, member, document) : `Did you mean ${member}.${shortened(close)}?`
  const piece = place === undefined ? {} : { piece: { value: at.value, offset: at.offset, start: place.start, end: place.end } }
  const finding: Finding = { code: 'replaced_data', severity: 'warning', path: at.path, at: 'value', message: messageOf(read), ...piece }
  return hint === undefined ? finding : { ...finding, hint }
}

function messageOf({ name, task, makers, members }: AbsentRead): string {
  const lacked = `The data here has no member ${quoted(name)}`
  const listed = firstOf(members, namesMax).join(', ') + (members.length > namesMax ? ', …' : '')
  const only = members.length === 0 ? 'nothing' : `only ${listed}`
  if (makers.length === 0) return `${lacked}: the input schema of the workflow allows ${only}.`
  const [maker] = makers
  if (makers.length === 1 && maker?.task === task)
    return maker?.kind === 'input'
      ? `${lacked}: input.from of this task leaves ${only}.`
      : `${lacked}: this task has ${only} in its output.`
  const names = alternatives(firstOf(new Set(makers.map((one) => quoted(one.task))), makersMax))
  return `${lacked}: the output of ${names} replaced the data before, and has ${only}.`
}

const namesMax = 8
const makersMax = 4

/** @param member what stands before the path in an object. */
function hintOf(read: AbsentRead, member: string, document: JsonObject): string | undefined {
  const elsewhere = elsewhereHint(read, member)
  const kept = keptData(document, read)
  // What makes data is meant to replace it more often than a call.
  if (kept === undefined || kept.as.includes('+')) return elsewhere
  const keep = `let ${quoted(kept.task)} pass on what it got: output: { as: '${kept.as}' }.`
  return elsewhere === undefined ? capitalized(keep) : `${elsewhere} Or ${keep}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function elsewhereHint({ known, possible }: AbsentRead, member: string): string | undefined {
  const [one, ...others] = (known.length > 0 ? known : possible).map((path) => member + path)
  if (one === undefined) return undefined
  if (others.length > 0) return `Write ${alternatives([one, ...others].slice(0, alternativesMax).map(shortened))}, whichever is meant.`
  if (known.length === 0) return `Write ${one}, if that has it.`
  return possible.length === 0 ? `Write ${one}.` : `Write ${one}, if that is meant.`
}

const alternativesMax = 3

interface ReadPlace {
  readonly start: number
  readonly end: number
  /** As in `{ name }`, which stands for `{ name: .name }`. */
  readonly isNameOnly: boolean
}

/** Where an expression reads the member of `.`, if there is one such place only. */
function placeOf({ name, at: { source } }: AbsentRead): ReadPlace | undefined {
  // The data has other names there too.
  if (!source.includes(name) || /\$(?:input|task|output)\b/.test(source)) return undefined
  const tokens = tokenize(source)
  const places = tokens.flatMap(({ kind, text, start }, index): ReadPlace[] => {
    if (text !== name) return []
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    const ended = before?.kind === 'operator' || before?.kind === 'keyword' ? before.text : (before?.kind ?? '')
    if (kind === 'FIELD') return pathEnds.has(ended) ? [] : [{ start, end: start + name.length + 1, isNameOnly: false }]
    const isNameOnly = kind === 'IDENT' && ['{', ','].includes(ended) && [',', '}'].includes(after?.text ?? '')
    return isNameOnly ? [{ start, end: start + name.length, isNameOnly }] : []
  })
  return places.length === 1 ? places[0] : undefined
}

/** What a path continues behind. */
const pathEnds: ReadonlySet<string> = new Set(['FIELD', 'BINDING', 'IDENT', 'QQSTRING_END', ']', ')', '}', '?', '..', 'end'])

import { followed, type Traced } from '@millrace/jq/tracing'
import type { TextUse } from '#src/edit/edit.ts'
import type { StringPiece } from '#src/edit/plan/operation.ts'
import { operateOnJson } from '#src/edit/plan/operate-on-json.ts'
import { factsOf } from '#src/edit/plan/references.ts'
import { memberSpans, type MemberSpan, mentionsMember } from '#src/expression/member-spans.ts'
import { isRuntimeExpression } from '#src/expression/runtime-expression.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { childPointer, pointerOf } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import { walkDefinition } from './walk-definition.ts'

/** What renames a member of the input of a workflow where it is read. */
export interface InputUses {
  /** The texts that certainly read it, with what replaces its name there. */
  readonly certain: readonly TextUse[]
  /** Pointers of the texts that may read it: from data of which nothing is known, or in a way that is not followed. */
  readonly possible: readonly string[]
}

interface Candidate extends MemberSpan {
  readonly pointer: string
  /** The name that it has while the definition is followed. */
  readonly mark: string
  /** Whether the text is an expression; a template of a URI, which every `{name}` may be, is one only where it is followed. */
  readonly isExpression: boolean
}

/** What a value that is read from is to the input: it itself, something else, or not known. */
type Source = 'input' | 'other' | 'unknown'

/**
 * Where a definition reads a member of its input. Each place that names it gets a name of its own, then the data is followed from the input of the workflow: what
 * reads such a name from the input, and from nothing else, is certain.
 */
export function inputUses(definition: Json, name: string, next: string): InputUses {
  if (!isObject(definition)) return { certain: [], possible: [] }
  const { candidates, mentions } = candidatesIn(definition, name)
  const sources = sourcesOf(definition, name, candidates)
  const isCertain = ({ mark }: Candidate) => isOnly(sources.get(mark), 'input')
  const isPossible = ({ mark, isExpression }: Candidate) => {
    const found = sources.get(mark)
    return !isOnly(found, 'input') && (found === undefined ? isExpression : !isOnly(found, 'other'))
  }
  const others = candidates.filter(isPossible).map(({ pointer }) => pointer)
  return {
    certain: byText(candidates.filter(isCertain), (at) => pieceOf(at, name, next)),
    possible: [...new Set([...others, ...mentions])],
  }
}

function isOnly(found: ReadonlySet<Source> | undefined, source: Source): boolean {
  return found?.size === 1 && found.has(source)
}

function candidatesIn(definition: JsonObject, name: string) {
  const candidates: Candidate[] = []
  const mentions: string[] = []
  const add = (pointer: string, { start, end, form }: MemberSpan, isExpression: boolean) =>
    candidates.push({ pointer, start, end, form, isExpression, mark: `member_${candidates.length}_` })
  for (const { path, source, offset } of factsOf(definition).expressions) {
    const pointer = pointerOf(path)
    // A function reads its own input.
    if (!source.includes(name) || pointer.startsWith('/use/functions/')) continue
    if (mentionsMember(source, name)) mentions.push(pointer)
    for (const { start, end, form } of memberSpans(source, name)) add(pointer, { start: start + offset, end: end + offset, form }, true)
  }
  if (isWord(name))
    for (const [pointer, text] of textsIn(definition, ''))
      for (const { index } of text.matchAll(new RegExp(`\\{${name}\\}`, 'g')))
        add(pointer, { start: index + 1, end: index + 1 + name.length, form: 'plain' }, false)
  return { candidates, mentions }
}

/** The texts that are no expressions. */
function textsIn(value: Json, pointer: string): readonly (readonly [pointer: string, text: string])[] {
  if (typeof value === 'string') return isRuntimeExpression(value) ? [] : [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => textsIn(item, childPointer(pointer, key)))
}

/** What each candidate is read from, by its mark. */
function sourcesOf(definition: JsonObject, name: string, candidates: readonly Candidate[]): ReadonlyMap<string, ReadonlySet<Source>> {
  const sources = new Map<string, Set<Source>>()
  const marked = operateOnJson(
    definition,
    byText(candidates, (at) => pieceOf(at, name, at.mark)).map((text) => ({ kind: 'within', ...text })),
  )
  const marks = new Set(candidates.map(({ mark }) => mark))
  const names = new Set([name, ...marks])
  if (isObject(marked))
    walkDefinition(marked, followed, {
      note: () => undefined,
      member(of, read) {
        if (marks.has(read)) sources.set(read, (sources.get(read) ?? new Set()).add(sourceOf(of, names)))
      },
    })
  return sources
}

function sourceOf({ origins, members, closed, known }: Traced, names: ReadonlySet<string>): Source {
  const [origin] = origins
  if (closed || known !== undefined) return 'other'
  if (origin === undefined) return 'unknown'
  if (origins.every(({ path }) => path !== '')) return 'other'
  return origins.length === 1 && origin.sure && ![...members.keys()].some((member) => names.has(member)) ? 'input' : 'unknown'
}

/** Pieces of one text together. */
function byText(candidates: readonly Candidate[], pieceAt: (candidate: Candidate) => StringPiece): InputUses['certain'] {
  const texts = Map.groupBy(candidates, ({ pointer }) => pointer)
  return Array.from(texts, ([pointer, found]) => ({ pointer, pieces: found.map(pieceAt) }))
}

function pieceOf({ start, end, form }: MemberSpan, name: string, next: string): StringPiece {
  const quoted = JSON.stringify(next)
  if (form === 'quoted') return { start, end, insert: quoted.slice(1, -1) }
  const member = isWord(next) ? next : quoted
  return { start, end, insert: form === 'short' ? `${name}: .${member}` : member }
}

function isWord(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name)
}

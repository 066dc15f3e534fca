import type { Json } from '#src/json.ts'
import { fieldReads } from '#src/expression/field-reads.ts'
import { childPointer, pointerOf } from '#src/parse/pointer.ts'
import { definitionShape } from '#src/shape/definition-shape.ts'
import { flowOf } from '#src/tasks/directives.ts'
import { type Facts, createFacts } from '#src/validate/facts.ts'
import { walk } from '#src/validate/walk/walk.ts'
import { type Operation, type StringPiece, json } from './operation.ts'

/** What the walk of the validator gathers from a document that may not validate. */
export function factsOf(document: Json): Facts {
  const facts = createFacts()
  const place = { stage: 'task', scope: { parent: undefined, variables: [], steps: new Set<string>() } } as const
  walk({ facts, value: document, path: undefined, place }, definitionShape)
  return facts
}

interface NamedList {
  readonly pointer: string
  readonly names: ReadonlySet<string>
}

/** The operations that make all references to a task of a list use its new name. */
export function renameReferences(document: Json, list: string, name: string, to: string): Operation[] {
  const facts = factsOf(document)
  const lists = facts.lists.map(({ entries }): NamedList => {
    const first = entries[0]
    return { pointer: first === undefined ? '' : pointerOf(first.path.parent?.parent), names: new Set(entries.map((entry) => entry.name)) }
  })
  const operations: Operation[] = []
  for (const { entries } of facts.lists) {
    for (const entry of entries) {
      if (pointerOf(entry.path.parent?.parent) !== list) continue
      for (const directive of flowOf(entry.task).directives) {
        if (directive.target !== name) continue
        const pointer = directive.at.reduce<string>(childPointer, pointerOf(entry.path))
        operations.push({ kind: 'set', pointer, value: json(to) })
      }
    }
  }
  for (const { path, source, offset } of facts.expressions) {
    const pointer = pointerOf(path)
    if (!source.includes('$steps') || listOf(lists, pointer, name) !== list) continue
    const pieces = stepReads(source, name).map(({ start, end }) => renamed(source, start, end, to))
    const moved = pieces.map(({ start, end, insert }): StringPiece => ({ start: start + offset, end: end + offset, insert }))
    if (moved.length > 0) operations.push({ kind: 'within', pointer, pieces: moved })
  }
  return operations
}

/** The reads of a step in a source that does not bind `$steps` itself. */
function stepReads(source: string, name: string) {
  if (/\bas\b[^|(]*\$steps\b/.test(source)) return []
  return fieldReads(source).filter(({ variable, field }) => variable === 'steps' && field === name)
}

/** The pointer of the innermost list around a place that has a task of this name. */
function listOf(lists: readonly NamedList[], pointer: string, name: string): string | undefined {
  const around = lists.filter((list) => pointer.startsWith(`${list.pointer}/`) && list.names.has(name))
  return around.toSorted((one, other) => other.pointer.length - one.pointer.length)[0]?.pointer
}

function renamed(source: string, start: number, end: number, to: string): StringPiece {
  const isQuoted = source[start - 1] === '"'
  if (isQuoted) return { start, end, insert: JSON.stringify(to).slice(1, -1) }
  return { start, end, insert: /^[A-Za-z_]\w*$/.test(to) ? to : JSON.stringify(to) }
}

/** The steps and variables that tasks of a list read and that are defined outside of them. */
export function outerReads(document: Json, list: string, from: number, count: number): readonly string[] {
  const facts = factsOf(document)
  const roots = Array.from({ length: count }, (_, index) => `${list}/${from + index}/`)
  const inside = (pointer: string): boolean => roots.some((root) => pointer.startsWith(root))
  const lists = facts.lists.flatMap(({ entries }) => entries)
  const own = new Set(lists.filter(({ path }) => inside(pointerOf(path))).map(({ name }) => name))
  const outer = variablesAround(facts, list)
  const reads = facts.expressions.flatMap(({ path, source }) => {
    if (!inside(pointerOf(path))) return []
    const steps = fieldReads(source).filter(({ variable, field }) => variable === 'steps' && !own.has(field))
    const variables = [...source.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name = '']) => name).filter((name) => outer.has(name))
    return [...steps.map(({ field }) => `$steps.${field}`), ...variables.map((name) => `$${name}`)]
  })
  return [...new Set(reads)]
}

/** The variables of the loops and catches around a list. */
function variablesAround(facts: Facts, list: string): ReadonlySet<string> {
  const site = facts.expressions.find(({ path }) => pointerOf(path).startsWith(`${list}/`))
  const names = new Set<string>()
  const depth = facts.lists.filter(({ entries }) => entries.some(({ path }) => list.startsWith(`${pointerOf(path)}/`))).length
  const scopes: (readonly string[])[] = []
  for (let scope = site?.place.scope; scope !== undefined; scope = scope.parent) scopes.unshift(scope.variables)
  // The scopes of the lists inside the tasks come last; each list has one for its tasks and at most one for its variables.
  for (const variables of scopes.slice(0, 1 + 2 * (depth + 1))) for (const name of variables) names.add(name)
  return names
}

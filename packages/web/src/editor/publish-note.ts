import { type DefinitionChange, diffDefinitions } from '@millrace/dsl/diff'
import type { JsonObject } from '@millrace/dsl'
import { drawnInstead } from '#src/flow/drawing.ts'
import { outlineOf } from '#src/flow/outline.ts'
import { isObject } from '#src/document/task-json.ts'
import { m } from '#src/messages/messages.ts'

/** More names of one kind are counted. */
const namesMax = 4

/** What changed between two definitions, in one line, by the names of the steps; undefined where nothing can be said. */
export function noteBetween(before: unknown, after: unknown): string | undefined {
  if (!isObject(before) || !isObject(after)) return undefined
  const changes = diffDefinitions(before, after)
  const [old, young] = [drawnNames(before), drawnNames(after)]
  const words = m.flowEditor.changedSteps
  const parts = (['added', 'changed', 'renamed', 'moved', 'removed'] as const).flatMap((kind) => {
    const names = new Set(
      changes
        .filter((change) => change.kind === kind && change.path !== '')
        .map((change) => nameOf(change, kind === 'removed' ? old : young)),
    )
    return names.size === 0 ? [] : [words[kind](namesIn([...names]))]
  })
  const ofDocument = changes.flatMap((change) => (change.kind === 'changed' && change.path === '' ? change.members : []))
  const all = ofDocument.length === 0 ? parts : [...parts, words.document(namesIn(ofDocument))]
  return all.length === 0 ? undefined : all.join(words.between)
}

/** The names that the flow shows for tasks that it does not draw, by their pointers. */
function drawnNames(definition: JsonObject): ReadonlyMap<string, string> {
  return new Map([...drawnInstead(outlineOf(definition))].map(([pointer, { name }]) => [pointer, name]))
}

function nameOf(change: DefinitionChange, drawn: ReadonlyMap<string, string>): string {
  const name = drawn.get(change.pointer) ?? lastOf(change.path)
  return change.kind === 'renamed' ? `${lastOf(change.from)} → ${name}` : name
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function namesIn(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(m.flowEditor.changedSteps.comma)
  return names.length > namesMax ? `${shown} ${m.uses.more(names.length - namesMax)}` : shown
}

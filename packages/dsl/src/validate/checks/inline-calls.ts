import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { calledFunction, knownNames } from '#src/tasks/called-function.ts'
import type { Json } from '#src/json.ts'
import type { Facts } from '#src/validate/facts.ts'

/** A call of a function of `use.functions`; the path leads to the value of `call`. */
export interface InlineCall {
  readonly callee: string
  readonly path: Path
}

export function inlineCalls(facts: Facts, document: Json): readonly InlineCall[] {
  const names = knownNames(isObject(document) ? objectAt(document, 'use') : undefined)
  return facts.tasks.flatMap(({ task, path }) => {
    if (typeof task['call'] !== 'string') return []
    const called = calledFunction(task['call'], names)
    return called.kind === 'inline' ? [{ callee: called.name, path: { parent: path, key: 'call' } }] : []
  })
}

/** The function of `use.functions` that a place is in, undefined for the rest of the document. */
export function ownerOf(path: Path | undefined): string | undefined {
  const keys: (string | number)[] = []
  for (let step = path; step !== undefined; step = step.parent) keys.push(step.key)
  return keys.at(-1) === 'use' && keys.at(-2) === 'functions' && keys.length > 2 ? String(keys.at(-3)) : undefined
}

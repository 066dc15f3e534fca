import { settled } from './evaluate.ts'
import type { ExtensionNode } from './node.ts'
import type { Walk } from './request.ts'
import { recordChoice, describeTask, type Scope } from './scope.ts'
import { type BodyResult, inside, type Walker } from './walker.ts'

type Body = (scope: Scope, position: string) => Walk<BodyResult>

/**
 * A body with extensions around it, the first outermost. The tasks before receive the task's input and those after its raw output. Their outputs
 * are dropped, unless a task before leaves its list by `then: exit`: its output is then the task's, whose body does not run.
 * Source: Open Workflow Specification DSL 1.0.3, "Extension".
 */
export function extended(walker: Walker, extensions: readonly ExtensionNode[], body: Body): Body {
  return extensions.reduceRight<Body>((inner, extension, index) => around(walker, extension, index, inner), body)
}

function around(walker: Walker, extension: ExtensionNode, index: number, body: Body): Body {
  return function* (scope, position) {
    if (extension.when !== undefined) {
      const applies = yield* settled(extension.when(scope.input, scope))
      recordChoice(scope.place.strand, 'x', applies ? 1 : 0)
      if (!applies) return yield* body(scope, position)
    }
    const before = yield* walker.sequence(extension.before, scope.input, placeOf(scope, `${position}/extensions/${index}/before`))
    if (before.exited) return { output: before.output }
    const result = yield* body(scope, position)
    const ended = { ...scope, rawOutput: result.output }
    yield* walker.sequence(extension.after, result.output, placeOf(ended, `${position}/extensions/${index}/after`))
    return result
  }
}

/** In the lists of an extension `$task` is the extended task, and `$steps` has only their own steps. They belong to the document, whatever they extend. */
function placeOf(scope: Scope, path: string) {
  const place = inside(scope, path, { name: 'task', value: describeTask(scope), outer: undefined })
  return { ...place, steps: undefined, isForeign: false }
}

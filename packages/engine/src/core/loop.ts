import { settled } from './evaluate.ts'
import { standardError } from './error.ts'
import { isObject, type Json } from './json.ts'
import type { Condition, ForBody } from './node.ts'
import type { Walk } from './request.ts'
import { mergeContexts, newStrand } from './fork.ts'
import { recordChoice, type Place, type Scope, type Strand } from './scope.ts'
import { type BodyResult, insideIteration, type Walker } from './walker.ts'

/**
 * Runs the tasks of `for` once for each item, each iteration fed by the output of the one before.
 * `while` is evaluated before each iteration, on its input; `then: exit` inside ends the loop.
 */
export function* runFor(walker: Walker, body: ForBody, scope: Scope, position: string): Walk<BodyResult> {
  const items = yield* settled(body.in(scope.input, scope))
  if (!Array.isArray(items)) throw standardError('expression', `"for.in" must give an array, not ${typeName(items)}`)
  if (body.concurrency !== undefined) return yield* runLanes(walker, { ...body, concurrency: body.concurrency }, scope, position, items)
  let output = scope.input
  for (let index = 0; index < items.length; index++) {
    const place = iteration(body, scope, `${position}[${index}]/do`, items[index] ?? null, index)
    if (body.while !== undefined && !(yield* continues(walker, body.while, { ...scope, place }, output, position))) break
    const result = yield* walker.sequence(body.tasks, output, place)
    output = result.output
    if (result.exited) break
  }
  return { output }
}

/**
 * Runs iterations side by side, at most `concurrency` at a time, each on the input and with the context of the loop. The output is the array of their outputs in the
 * order of the items; the contexts that they exported are merged in that order. After a false `while` or `then: exit` no further iteration begins.
 */
function* runLanes(
  walker: Walker,
  body: ForBody & { readonly concurrency: number },
  scope: Scope,
  position: string,
  items: readonly Json[],
): Walk<BodyResult> {
  const origin = scope.place.strand
  const before = origin.context
  const done = new Map<number, { readonly output: Json; readonly context: Json }>()
  // Shared by the lanes: a free lane takes the next item. A replay assigns the same items, since outcomes arrive in the same order.
  let next = 0
  const branches = Array.from({ length: Math.min(body.concurrency, items.length) }, () => {
    const strand = newStrand(origin)
    return { strand, walk: lane(strand) }
  })
  if (branches.length > 0) yield { kind: 'fork', branches, mode: 'all' }
  const results = [...done].toSorted(([first], [second]) => first - second).map(([, result]) => result)
  for (const { context } of results) {
    if (context === before) continue
    origin.work.chargeTurn(isObject(context) ? Object.keys(context).length : 1)
    if (origin.work.isTurnOver()) yield { kind: 'turn' }
    origin.context = mergeContexts(origin.context, context)
  }
  return { output: results.map(({ output }) => output) }

  function* lane(strand: Strand): Walk<Json> {
    while (next < items.length) {
      const index = next++
      strand.context = before
      const place = { ...iteration(body, scope, `${position}[${index}]/do`, items[index] ?? null, index), strand }
      const isNext = body.while === undefined || (yield* continues(walker, body.while, { ...scope, place }, scope.input, position))
      const result = isNext ? yield* walker.sequence(body.tasks, scope.input, place) : undefined
      if (result !== undefined) done.set(index, { output: result.output, context: strand.context })
      if (result === undefined || result.exited) next = items.length
    }
    return null
  }
}

/** The place of the tasks of one iteration. */
function iteration({ each, at }: ForBody, scope: Scope, path: string, item: Json, index: number): Place {
  return insideIteration(scope, path, { name: each, value: item }, { name: at, value: index })
}

/** Evaluates the `while` of a loop for the next item. */
function* continues({ observer }: Walker, condition: Condition, scope: Scope, input: Json, position: string): Walk<boolean> {
  observer?.examines?.(position, { of: 'while' }, input, scope)
  const isTrue = yield* settled(condition(input, scope))
  recordChoice(scope.place.strand, 'w', isTrue ? 1 : 0)
  return isTrue
}

function typeName(value: Json): string {
  return value === null ? 'null' : typeof value
}

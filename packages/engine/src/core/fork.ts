import { isObject, type Json } from './json.ts'
import type { ForkBody, TaskNode } from './node.ts'
import type { BranchResults, Reply, Walk } from './request.ts'
import { createStrand, type Place, type Scope, type Strand } from './scope.ts'
import { type BodyResult, EndSignal, inside, type Walker } from './walker.ts'

/**
 * Runs branches side by side. Each begins with the context as it was at the fork. Without `compete` the output is the array of the branches'
 * outputs and the contexts that they exported are merged in branch order; with it the first branch that completes gives output and context.
 */
export function* runFork(walker: Walker, body: ForkBody, scope: Scope, position: string): Walk<BodyResult> {
  const origin = scope.place.strand
  const branches = body.branches.map((node) => {
    const strand = newStrand(origin)
    const place: Place = { ...inside(scope, `${position}/fork/branches`), strand }
    return { strand, walk: branch(walker, node, scope.input, place, `${position}/fork/branches/${node.segment}`) }
  })
  const { completed } = branchResults(yield { kind: 'fork', branches, mode: body.compete ? 'any' : 'all' })
  const before = origin.context
  for (const { index } of completed) {
    const context = branches[index]?.strand.context
    if (context !== undefined && context !== before) origin.context = body.compete ? context : mergeContexts(origin.context, context)
  }
  if (body.compete) return { output: completed[0]?.output ?? null }
  return { output: completed.map((result) => result.output) }
}

/** Creates a strand for a branch that runs beside `origin`. */
export function newStrand(origin: Strand): Strand {
  return createStrand(origin.execution, origin.work, origin.context)
}

export function branchResults(reply: Reply): BranchResults {
  if (reply === undefined || !('completed' in reply)) throw new Error('a fork was resumed with a reply that has no branches')
  return reply
}

function* branch(walker: Walker, node: TaskNode, input: Json, place: Place, position: string): Walk<Json> {
  const result = yield* walker.task(node, input, place, position)
  if (result.then === 'end') throw new EndSignal(result.output)
  return result.output
}

/** Merges two objects key by key, the later wins. A value that is not an object replaces the earlier context. */
export function mergeContexts(earlier: Json, later: Json): Json {
  return isObject(earlier) && isObject(later) ? { ...earlier, ...later } : later
}

import type { Json } from './json.ts'
import type { Sequence } from './node.ts'
import type { Walk } from './request.ts'
import type { Place } from './scope.ts'
import { EndSignal, type SequenceResult, type Walker } from './walker.ts'

/**
 * Runs a list of tasks, each fed by the output of the one before, following `then`.
 * A task that is run again in the same list (a jump back) gets the number of its visit in its position.
 */
export function* runSequence(walker: Walker, sequence: Sequence, input: Json, outer: Place): Walk<SequenceResult> {
  const outputs = new Map<string, Json>()
  const place: Place = { ...outer, steps: { outputs, outer: outer.steps } }
  let visits: Map<number, number> | undefined
  let output = input
  let index = 0
  let furthest = -1
  for (let node = sequence.tasks[index]; node !== undefined; node = sequence.tasks[index]) {
    let position = `${place.path}/${node.segment}`
    if (index <= furthest) {
      visits ??= new Map()
      const visit = (visits.get(index) ?? 0) + 1
      visits.set(index, visit)
      position += `~${visit}`
    } else furthest = index
    const result = yield* walker.task(node, output, place, position)
    output = result.output
    outputs.set(node.name, output)
    if (result.then === 'continue') index += 1
    else if (result.then === 'exit') return { output, exited: true }
    else if (result.then === 'end') throw new EndSignal(output)
    else index = result.then.goto
  }
  return { output, exited: false }
}

import { settled } from './evaluate.ts'
import { finish } from './finish.ts'
import { located, standardError, WorkflowError } from './error.ts'
import type { Json } from './json.ts'
import type { TaskNode } from './node.ts'
import type { Walk } from './request.ts'
import { recordChoice, type Place, type Scope } from './scope.ts'
import { extended } from './extension.ts'
import type { BodyResult, TaskResult, Walker } from './walker.ts'
import { TASK_STEPS } from './work.ts'

/** The number of tasks that a strand enters before it pauses and other strands run. Part of every replay: executions under way do not survive a change. */
const TASKS_PER_PAUSE = 1_000

/**
 * Runs one task through the language's data flow: `if`, input, body under its timeout, output, export.
 * A task that `if` skips returns its raw input, and the flow continues, whatever its `then` says.
 * Source: Open Workflow Specification DSL 1.0.3, "Data Flow".
 */
export function* runTask(
  walker: Walker,
  body: (scope: Scope, position: string) => Walk<BodyResult>,
  node: TaskNode,
  rawInput: Json,
  place: Place,
  position: string,
): Walk<TaskResult> {
  const { observer } = walker
  if (++place.strand.tasksSincePause >= TASKS_PER_PAUSE) {
    place.strand.tasksSincePause = 0
    yield { kind: 'pause' }
  }
  const { work } = place.strand
  work.chargeTurn(TASK_STEPS)
  if (work.isTurnOver()) yield { kind: 'turn' }
  const scope: Scope = {
    place,
    task: node,
    startedAtMs: place.strand.execution.nowMs,
    rawInput,
    input: rawInput,
    rawOutput: undefined,
    output: undefined,
  }
  observer?.entered?.(node.reference, scope)
  try {
    if (node.if !== undefined) {
      observer?.examines?.(position, { of: 'if' }, rawInput, scope)
      const isTrue = yield* settled(node.if(rawInput, scope))
      recordChoice(place.strand, 'i', isTrue ? 1 : 0)
      if (!isTrue) {
        observer?.skipped(position, node, scope.startedAtMs, place.run)
        return { output: rawInput, then: 'continue' }
      }
    }
    if (node.inputCheck !== undefined) yield* settled(node.inputCheck(rawInput, node.reference, work))
    if (node.inputFrom !== undefined) scope.input = yield* settled(node.inputFrom(rawInput, scope))
    observer?.started(position, node, scope.startedAtMs, scope.input, place.run)
    const whole = node.extensions === undefined ? body : extended(walker, node.extensions, body)
    const result = node.timeoutMs === undefined ? yield* whole(scope, position) : yield* runTimed(walker, whole, node, scope, position)
    scope.rawOutput = result.output
    const output = yield* finish(node, result.output, scope)
    observer?.completed(position, node, place.strand.execution.nowMs, output)
    return { output, then: result.then ?? node.then }
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    const fault = located(error, node.reference)
    observer?.faulted(position, node, place.strand.execution.nowMs, fault.data, place.run)
    throw fault
  }
}

function* runTimed(
  walker: Walker,
  body: (scope: Scope, position: string) => Walk<BodyResult>,
  node: TaskNode,
  scope: Scope,
  position: string,
): Walk<BodyResult> {
  const afterMs = node.timeoutMs === undefined ? 0 : yield* settled(node.timeoutMs(scope.input, scope))
  let result: BodyResult | undefined
  yield* walker.deadline(
    function* (place) {
      result = yield* body({ ...scope, place }, position)
      return null
    },
    scope.place,
    position,
    scope.startedAtMs + afterMs,
  )
  if (result === undefined) throw standardError('timeout', `task "${node.name}" did not end within ${afterMs} ms`, node.reference)
  return result
}

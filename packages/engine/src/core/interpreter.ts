import { runTry } from './attempt.ts'
import { settled } from './evaluate.ts'
import { located, standardError, WorkflowError } from './error.ts'
import { branchResults, newStrand, runFork } from './fork.ts'
import { isObject, type Json } from './json.ts'
import { valueOf, runRaise, runAnswer, runCall, runChild, runEmit, runMessage, runSwitch, runWait } from './simple-tasks.ts'
import { runListen } from './listen.ts'
import { runFor } from './loop.ts'
import { checkPayload } from './payload.ts'
import type { CompiledWorkflow, FunctionBody, TaskBody, VariablesRead } from './node.ts'
import type { Observer } from './observer.ts'
import type { Walk } from './request.ts'
import { describeTime, type ExecutionInfo, type Locals, type Place, type Scope, type Strand } from './scope.ts'
import { runSequence } from './sequence.ts'
import { runTask } from './task.ts'
import { type BodyResult, EndSignal, inside, type Walker } from './walker.ts'

/**
 * Walks a compiled definition from its raw input to its output: a pure function of the definition, the input and the replies that it is
 * resumed with. It uses no clock, randomness or I/O; its driver replies to its requests from the journal or by performing them.
 * @returns the workflow's output; raises WorkflowError when the execution faults.
 */
export function* walkWorkflow(workflow: CompiledWorkflow, execution: ExecutionInfo, strand: Strand, observer?: Observer): Walk<Json> {
  const walker = createWalker(observer)
  const place: Place = { strand, path: '/do', locals: undefined, steps: undefined, run: { iteration: [], attempt: 1 }, isForeign: false }
  const scope: Scope = {
    place,
    task: undefined,
    startedAtMs: execution.startedAtMs,
    rawInput: execution.input,
    input: execution.input,
    rawOutput: undefined,
    output: undefined,
  }
  try {
    if (workflow.inputCheck !== undefined) yield* settled(workflow.inputCheck(execution.input, '/input', strand.work))
    if (workflow.variables !== undefined) yield* readVariables(workflow.variables, execution, strand)
    if (workflow.inputFrom !== undefined) scope.input = yield* settled(workflow.inputFrom(execution.input, scope))
    strand.context = scope.input
    const raw = yield* runRoot(walker, workflow, scope)
    const output = workflow.outputAs === undefined ? raw : yield* settled(workflow.outputAs(raw, scope))
    if (workflow.outputCheck !== undefined) yield* settled(workflow.outputCheck(output, '/output', strand.work))
    checkPayload(output, 'the output of the workflow', '/output', strand.work)
    return output
  } catch (error) {
    throw error instanceof WorkflowError ? located(error, '/') : error
  }
}

/**
 * Reads the variables once, as an effect whose outcome is journalled: the execution keeps the values that they had at its start, and every replay
 * reads the same.
 */
function* readVariables({ names, all }: VariablesRead, execution: ExecutionInfo, strand: Strand): Walk<void> {
  const request = {
    position: variablesPosition,
    strand,
    function: 'variables',
    arguments: { names: [...names], all },
    input: null,
  } as const
  const values = valueOf(yield { kind: 'effect', ...request })
  execution.variables = isObject(values) ? values : {}
}

const variablesPosition = '/variables'

function* runRoot(walker: Walker, workflow: CompiledWorkflow, scope: Scope): Walk<Json> {
  if (workflow.timeoutMs === undefined) return yield* runUntilEnd(walker, workflow, scope.input, scope.place)
  const afterMs = yield* settled(workflow.timeoutMs(scope.input, scope))
  const output = yield* walker.deadline(
    (place) => runUntilEnd(walker, workflow, scope.input, place),
    scope.place,
    '',
    scope.startedAtMs + afterMs,
  )
  if (output === undefined) throw standardError('timeout', `the workflow did not end within ${afterMs} ms`, '/')
  return output
}

function* runUntilEnd(walker: Walker, workflow: CompiledWorkflow, input: Json, place: Place): Walk<Json> {
  try {
    return (yield* walker.sequence(workflow.tasks, input, place)).output
  } catch (signal) {
    if (signal instanceof EndSignal) return signal.output
    throw signal
  }
}

function createWalker(observer: Observer | undefined): Walker {
  const walker: Walker = {
    observer,
    sequence: (sequence, input, place) => runSequence(walker, sequence, input, place),
    task: (node, input, place, position) =>
      runTask(walker, (scope, at) => runBody(walker, node.body, scope, at), node, input, place, position),
    *deadline(walk, place, position, dueAtMs) {
      const strand = newStrand(place.strand)
      const timer = newStrand(place.strand)
      const branches = [
        { strand, walk: walk({ ...place, strand }) },
        { strand: timer, walk: alarm(timer, `${position}/timeout`, dueAtMs) },
      ]
      try {
        const winner = branchResults(yield { kind: 'fork', branches, mode: 'race' }).completed[0]
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The output comes back as plain JSON; of branch 0 it is what `walk` returned.
        return winner === undefined || winner.index === 1 ? undefined : (winner.output as never)
      } finally {
        place.strand.context = ownContext(strand)
      }
    },
  }
  return walker
}

function* alarm(strand: Strand, position: string, dueAtMs: number): Walk<Json> {
  yield { kind: 'timer', position, strand, dueAtMs }
  return null
}

function* runBody(walker: Walker, body: TaskBody, scope: Scope, position: string): Walk<BodyResult> {
  switch (body.kind) {
    case 'do':
      return { output: (yield* walker.sequence(body.tasks, scope.input, inside(scope, `${position}/do`))).output }
    case 'set':
      return { output: yield* settled(body.value(scope.input, scope)) }
    case 'switch':
      return yield* runSwitch(walker, body, scope, position)
    case 'for':
      return yield* runFor(walker, body, scope, position)
    case 'fork':
      return yield* runFork(walker, body, scope, position)
    case 'try':
      return yield* runTry(walker, body, scope, position)
    case 'raise':
      return yield* runRaise(body, scope)
    case 'wait':
      return yield* runWait(body, scope, position)
    case 'call':
      return yield* runCall(body, scope, position)
    case 'function':
      return yield* runFunction(walker, body, scope, position)
    case 'message':
      return yield* runMessage(body, scope, position)
    case 'answer':
      return yield* runAnswer(body, scope, position)
    case 'emit':
      return yield* runEmit(body, scope, position)
    case 'listen':
      return yield* runListen(walker, body, scope, position)
    case 'run-workflow':
      return yield* runChild(body, scope, position)
    case 'pass':
      return { output: scope.input }
  }
}

/** A function reads its arguments as its input, and none of the variables and steps around the call. */
function* runFunction(walker: Walker, body: FunctionBody, scope: Scope, position: string): Walk<BodyResult> {
  const { node } = body
  const args = yield* settled(body.arguments(scope.input, scope))
  const { strand } = scope.place
  const isForeign = body.foreign || scope.place.isForeign
  const locals = isForeign ? untrustedLocals(strand.execution) : undefined
  const place: Place = { ...scope.place, path: `${position}/function`, locals, steps: undefined, isForeign }
  const at = `${position}/function/${node.segment}`
  if (!body.foreign) return { output: (yield* walker.task(node, args, place, at)).output }
  const caller = { context: strand.context, outer: strand.callers }
  strand.callers = caller
  strand.context = null
  try {
    return { output: (yield* walker.task(node, args, place, at)).output }
  } finally {
    strand.context = caller.context
    strand.callers = caller.outer
  }
}

/** The context of a strand itself, also when it was abandoned within a foreign function, whose `finally` does not run then. */
function ownContext({ context, callers }: Strand): Json {
  let own = context
  for (let caller = callers; caller !== undefined; caller = caller.outer) own = caller.context
  return own
}

/** Variables for a function from elsewhere, and what it calls, in place of those of the workflow. It is trusted with its arguments only: no secrets and variables, and neither the workflow's input nor its definition. */
function untrustedLocals({ id, startedAtMs }: ExecutionInfo): Locals {
  const workflow = { name: 'workflow', value: { id, startedAt: describeTime(startedAtMs) }, outer: undefined }
  const variables = { name: 'variables', value: {}, outer: workflow }
  return { name: 'secrets', value: {}, outer: variables }
}

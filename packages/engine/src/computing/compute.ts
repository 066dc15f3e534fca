import { compileExpression, compileTemplate } from '#compile/expression.ts'
import { compileInlineSchema } from '#compile/schema.ts'
import type { Computation, ComputationOutcome, ExpressionComputation } from '#core/computation.ts'
import { Deferred } from '#core/evaluate.ts'
import { standardError, WorkflowError } from '#core/error.ts'
import { type Json, parseJson } from '#core/json.ts'
import type { Expression } from '#core/node.ts'
import { createStrand, type Locals, type Scope } from '#core/scope.ts'
import { StepBudgetExceeded, Work } from '#core/work.ts'

interface Compiled {
  readonly clock: { nowMs: number }
  readonly expression: Expression
}

/** The number of compiled expressions that a thread caches. */
const COMPILED_MAX = 200
const compiled = new Map<string, Compiled>()

/** Performs a computation without a time limit: the outcome is the same on every thread. */
export function compute(computation: Computation): ComputationOutcome {
  const work = new Work()
  try {
    const value =
      computation.kind === 'schema' ? compileInlineSchema(computation.source)(computation.value, work) : express(computation, work)
    if (value instanceof Deferred) throw new Error('a computation without a turn was deferred')
    return { ok: true, value, steps: work.spent }
  } catch (error) {
    return { ok: false, error: errorOf(error), steps: work.spent }
  }
}

function errorOf(error: unknown) {
  if (error instanceof WorkflowError) return error.data
  // The thread that walks the execution counts its steps and ends it.
  if (error instanceof StepBudgetExceeded) return standardError('runtime', 'too many steps').data
  throw error
}

function express(computation: ExpressionComputation, work: Work) {
  const { variables, dot, nowMs } = computation
  const { clock, expression } = compiledOf(computation)
  clock.nowMs = nowMs
  return expression(dot, scopeOf(variables, nowMs, work))
}

function compiledOf({ kind, source, locals, inList = false }: ExpressionComputation): Compiled {
  const key = `${kind} ${inList} ${locals.join(' ')}\n${source}`
  const found = compiled.get(key)
  compiled.delete(key)
  const clock = { nowMs: 0 }
  const context = { locals, clock, inList }
  const made = found ?? {
    clock,
    expression: kind === 'template' ? compileTemplate(parseJson(source), context) : compileExpression(source, context),
  }
  compiled.set(key, made)
  for (const [oldest] of compiled) {
    if (compiled.size <= COMPILED_MAX) break
    compiled.delete(oldest)
  }
  return made
}

/** A scope in which every variable is bound as if a task around it had done so. */
function scopeOf(variables: ExpressionComputation['variables'], nowMs: number, work: Work): Scope {
  const execution = { id: '', definition: null, input: null, startedAtMs: nowMs, runtime: {}, secrets: {}, nowMs }
  const strand = createStrand(execution, work)
  const locals = variables.reduce<Locals | undefined>((outer, [name, value]) => ({ name, value, outer }), undefined)
  const place = { strand, path: '', locals, steps: undefined, run: { iteration: [], attempt: 1 }, isForeign: false }
  const nothing: Json = null
  return { place, task: undefined, startedAtMs: nowMs, rawInput: nothing, input: nothing, rawOutput: undefined, output: undefined }
}

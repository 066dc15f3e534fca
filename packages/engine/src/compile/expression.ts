import { type Duration, durationMs, isRuntimeExpression, unwrapExpression } from '@millrace/dsl'
import { compile, JqError, JqInterrupted, JqLimitError, type Json as JqJson, type Program, type RunOptions } from '@millrace/jq'
import { standardError } from '#core/error.ts'
import { evaluate, type Evaluator, mapped } from '#core/evaluate.ts'
import type { Json } from '#core/json.ts'
import type { Condition, DurationMs, Expression } from '#core/node.ts'
import { excessOf, NESTING_MAX } from '#core/payload.ts'
import type { Scope } from '#core/scope.ts'
import { notComputed, notShown } from '#core/secret-mask.ts'
import type { Work } from '#core/work.ts'
import { readVariable, variableNames } from './variables.ts'

/** The budget of one expression, in steps and sizes. Time only decides on which thread it is evaluated. */
const LIMITS = { steps: 5_000_000, outputs: 1_000_000, depth: 1_100, size: 50_000_000, deadlineMs: Number.POSITIVE_INFINITY } as const
/** The result of an expression of at least so many steps is measured: with fewer it makes neither many values nor many levels. */
const STEPS_MEASURED = 1_000
/** An expression of more characters is compiled in another thread, where it is evaluated. */
const LONG_TEXT = 4_096
/** An evaluation of more steps is worth another thread. */
const HEAVY_STEPS = 4_000
/** To compile one character takes about as long as so many steps. */
const COMPILE_STEPS = 10
/** Values in the result of one expression: it may have to be copied from one thread to another. */
const VALUES_MAX = 500_000

/** The surroundings of an expression: the variables that tasks around it bind, and the clock of the current execution. */
export interface ExpressionContext {
  readonly locals: readonly string[]
  /** `now` in an expression is the execution's logical clock: the same in every walk. */
  readonly clock: { nowMs: number }
  /** Compiles each expression when it is evaluated first: for definitions that validated before. */
  readonly lazy?: boolean
  /** Gives the first output in a list, which is empty without one, so that it differs from null. */
  readonly inList?: boolean
}

/** Evaluates at once, whatever it takes; with a turn it is interrupted by `JqInterrupted` when it takes long. */
type Immediate = (dot: Json, scope: Scope) => Json

/** Compiles what always is an expression, in `${ … }` or bare. No output counts as null; of several the first counts. */
export function compileExpression(text: string, context: ExpressionContext): Expression {
  const variables = () => variablesOfExpression(text, context)
  return deferrable(immediateExpression(text, context), { kind: 'expression', source: () => text, variables }, context)
}

/**
 * Compiles a condition: null and no output at all count as false. Any value that is not boolean faults: jq takes "false", 0 and "" for true,
 * which would decide silently.
 */
export function compileCondition(text: string, context: ExpressionContext): Condition {
  const expression = compileExpression(text, context)
  return (dot, scope) => mapped(expression(dot, scope), (value) => (isNotShown(value, scope) ? false : decisionOf(value, text)))
}

/** A condition that cannot be computed without a secret or erased data; the decision in the journal is compared with it. */
function isNotShown(value: Json, { place, task }: Scope): boolean {
  const { execution, work } = place.strand
  return (value === notShown && execution.withoutSecrets !== undefined) || (value === notComputed && work.forgives(task?.reference))
}

function decisionOf(value: Json, text: string): boolean {
  if (typeof value === 'boolean') return value
  if (value === null) return false
  const kind = Array.isArray(value)
    ? 'an array'
    : typeof value === 'object'
      ? 'an object'
      : `the ${typeof value} ${shortened(JSON.stringify(value))}`
  throw standardError(
    'expression',
    `The condition ${shortened(text)} gives ${kind}, and has to give true, false or null. Compare the value, for example with == "yes".`,
  )
}

/** Compiles data in which strings that are wholly `${ … }` are expressions; everything else stands for itself. */
export function compileTemplate(template: Json, context: ExpressionContext): Expression {
  if (typeof template === 'string' && isRuntimeExpression(template)) return compileExpression(template, context)
  if (!holdsExpression(template)) return () => template
  const variables = () => variablesRead(template, context)
  return deferrable(immediateTemplate(template, context), { kind: 'template', source: () => JSON.stringify(template), variables }, context)
}

/** The serialized form of an evaluation for another thread, made only when it is moved there. */
interface Written {
  readonly kind: 'expression' | 'template'
  readonly source: () => string
  readonly variables: () => readonly string[]
}

function deferrable(immediate: Immediate, written: Written, { locals }: ExpressionContext): Expression {
  let variables: readonly string[] | undefined
  let source: string | undefined
  /** An evaluation that was interrupted once is moved at once the next time. */
  let isHeavy = false
  const evaluator: Evaluator<Json, Scope, Json> = {
    attempt(dot, scope, work) {
      if (isHeavy && work.turn !== undefined) throw new JqInterrupted(work.turn.interruptMs)
      return immediate(dot, scope)
    },
    isInterruption: (error) => error instanceof JqInterrupted,
    computation(dot, scope) {
      isHeavy = true
      variables ??= [...new Set(written.variables())]
      source ??= written.source()
      return {
        kind: written.kind,
        source,
        locals,
        variables: variables.map((name) => [name, readVariable(name, scope)] as const),
        dot,
        nowMs: scope.place.strand.execution.nowMs,
      }
    },
    finish(result, _dot, _scope, steps) {
      isHeavy = steps > HEAVY_STEPS
      return result
    },
  }
  return (dot, scope) => evaluate(evaluator, dot, scope, scope.place.strand.work)
}

/** Evaluates without ever being deferred; for where no execution is walked. */
export function immediateTemplate(template: Json, context: ExpressionContext): Immediate {
  if (typeof template === 'string') return isRuntimeExpression(template) ? immediateExpression(template, context) : () => template
  if (typeof template !== 'object' || template === null || !holdsExpression(template)) return () => template
  if (Array.isArray(template)) {
    const items = template.map((item: Json) => immediateTemplate(item, context))
    return (dot, scope) => items.map((item) => item(dot, scope))
  }
  const members = Object.entries(template).map(([key, value]) => ({
    key,
    value: immediateTemplate(value, context),
    own: key === '__proto__',
  }))
  return (dot, scope) => {
    const object: Record<string, Json> = {}
    for (const { key, value, own } of members) {
      if (own) Object.defineProperty(object, key, { value: value(dot, scope), enumerable: true, writable: true, configurable: true })
      else object[key] = value(dot, scope)
    }
    return object
  }
}

export function immediateExpression(text: string, context: ExpressionContext): Immediate {
  const compiled = () => {
    const program = compileProgram(text, context)
    return { program, names: [...program.reads.variables] }
  }
  let ready = context.lazy === true ? undefined : compiled()
  const { clock, inList = false } = context
  let interruptible: RunOptions | undefined
  return (dot, scope) => {
    const { execution, work } = scope.place.strand
    const { turn } = work
    if (ready === undefined) {
      // To compile a long one takes as long as the turn.
      if (turn !== undefined && text.length > LONG_TEXT) throw new JqInterrupted(turn.interruptMs)
      work.chargeTurn(text.length * COMPILE_STEPS)
      ready = compiled()
    }
    const { program, names } = ready
    clock.nowMs = execution.nowMs
    const variables = names.length === 0 ? undefined : variablesOf(names, scope)
    if (turn !== undefined) interruptible ??= { interruptMs: turn.interruptMs }
    // The rest of the turn bounds all expressions of one template together.
    if (turn !== undefined && work.isTurnOver()) throw new JqInterrupted(turn.interruptMs)
    try {
      const output = program.first(dot, variables, turn === undefined ? undefined : interruptible)
      const value = output ?? null
      const steps = program.steps()
      work.spend(steps)
      const excess = steps > STEPS_MEASURED ? excessOf(value, VALUES_MAX) : undefined
      if (excess !== undefined) throw standardError('expression', tooMuch(excess, text))
      if (inList) return output === undefined ? [] : [output]
      return value
    } catch (error) {
      if (!(error instanceof JqError || error instanceof JqLimitError)) throw error
      const fault = failure(error, text, program, work)
      if (names.includes('secrets') && isWithoutSecrets(scope)) return notShown
      if (work.forgives(scope.task?.reference)) return notComputed
      throw fault
    }
  }
}

/** Whether a failure may be due to secrets that are not read: the execution itself did not fail here. */
function isWithoutSecrets({ place, task }: Scope): boolean {
  const { withoutSecrets } = place.strand.execution
  return withoutSecrets !== undefined && withoutSecrets.failedAt !== task?.reference
}

/** A transformation: a string is an expression, `${ … }` or bare, an object a template. */
export function compileTransformation(transformation: Json, context: ExpressionContext): Expression {
  return typeof transformation === 'string' ? compileExpression(transformation, context) : compileTemplate(transformation, context)
}

/** The variables that the expressions in a template read. */
export function variablesRead(template: Json, context: ExpressionContext): readonly string[] {
  if (typeof template === 'string') return isRuntimeExpression(template) ? variablesOfExpression(template, context) : []
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap((member) => variablesRead(member, context))
}

/** The variables that what always is an expression reads. */
export function variablesOfExpression(text: string, context: ExpressionContext): readonly string[] {
  return [...compileProgram(text, context).reads.variables]
}

/** Whether any text in it names a variable. Texts that are not expressions count as well, which is harmless. */
export function readsVariable(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value.includes(`$${name}`)
  return typeof value === 'object' && value !== null && Object.values(value).some((member) => readsVariable(member, name))
}

function holdsExpression(template: Json): boolean {
  if (typeof template === 'string') return isRuntimeExpression(template)
  if (typeof template !== 'object' || template === null) return false
  return Object.values(template).some(holdsExpression)
}

function compileProgram(text: string, { locals, clock }: ExpressionContext): Program {
  return compile(unwrapExpression(text), { variables: [...variableNames, ...locals], clock: () => clock.nowMs, limits: LIMITS })
}

function variablesOf(names: readonly string[], scope: Scope): Record<string, JqJson> {
  // Without a prototype, so that `$__proto__` is a variable like any other.
  const variables: Record<string, JqJson> = Object.create(null)
  for (const name of names) variables[name] = readVariable(name, scope)
  return variables
}

function failure(error: JqError | JqLimitError, text: string, program: Program, work: Work): Error {
  work.spend(program.steps())
  return standardError('expression', `${error.message} in ${shortened(text)}`)
}

function tooMuch(excess: 'values' | 'levels', text: string): string {
  return `The result has more than ${excess === 'values' ? VALUES_MAX : NESTING_MAX} ${excess} in ${shortened(text)}`
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 117)}...` : line
}

/** Compiles a duration; one that is an expression is evaluated each time. */
export function compileDuration(duration: Duration, context: ExpressionContext): DurationMs {
  if (isRuntimeExpression(duration)) {
    const expression = compileExpression(duration, context)
    return (dot, scope) => mapped(expression(dot, scope), millisecondsOf)
  }
  const ms = durationMs(duration) ?? 0
  return () => ms
}

function millisecondsOf(value: Json): number {
  const ms = durationMs(value)
  if (ms === undefined) throw standardError('expression', `${JSON.stringify(value)?.slice(0, 100)} is not a duration`)
  return ms
}

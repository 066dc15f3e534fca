import { isRuntimeExpression, unwrapExpression } from '@millrace/dsl'
import { compile, JqLimitError } from '@millrace/jq'
import { RE2JS } from 're2js'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { comparisonSteps, isEqual } from '#core/json-equality.ts'
import { LIFECYCLE_TYPE_PREFIX } from '#core/event.ts'

/** Steps of all expressions, patterns and comparisons of a filter for one event: a few milliseconds. */
const STEPS_MAX = 50_000
/** The deadline is a last resort: slow work uses up its steps first, which are the same on every machine. */
const LIMITS = { steps: STEPS_MAX, outputs: 10_000, depth: 1_000, deadlineMs: 500 } as const
/** Characters of a filter as JSON. */
const FILTER_LENGTH_MAX = 65_536
/** Characters of a pattern times its counted repetitions: a bound of the program that it becomes. */
const PATTERN_SIZE_MAX = 50_000
/** RE2 refuses nested repetitions of more. */
const REPETITIONS_MAX = 1_000
/** So many instructions of a pattern for a character each count as a step. */
const INSTRUCTIONS_PER_STEP = 64
/** Characters that make a value a pattern; a dot stands for itself as well, as nearly all types of events have dots. */
const PATTERN = /[*+?()[\]{}|^$\\]/

/** A filter that cannot be evaluated, or that exceeded its budget. Whether the event passes is unknown. */
export class EventFilterError extends Error {
  override readonly name = 'EventFilterError'
}

/** A compiled filter of events, of `listen` or of a subscription. */
export interface EventFilter {
  /** Whether its expressions read data of the listening execution. */
  readonly readsScope: boolean
  /** Names of its correlations. */
  readonly correlations: readonly string[]
  /** The only type of event that can pass; undefined where any might. */
  readonly type: string | undefined
  /**
   * The event's values for the correlations if it has every required attribute; undefined when it does not pass.
   * An event on which an expression fails does not pass.
   * @throws EventFilterError when it takes more steps than a filter may for one event.
   */
  values(event: JsonObject, scope: JsonObject): JsonObject | undefined
  /** Steps that the last evaluation has taken, also when it threw. They are the same for the same event and scope. */
  steps(): number
}

/** Counts what one evaluation takes. */
interface Meter {
  steps: number
}

type Test = (value: Json, scope: JsonObject) => boolean
type Expression = (value: Json, scope: JsonObject) => Json | undefined

/**
 * Compiles `{ with, from, variables }`: attributes that an event must have, expressions on the event by the name of the correlation, and the
 * names of the variables that may be read. An attribute is equal, matches as a regular expression (RE2, the whole value), or is an expression
 * on the value that gives true or the value itself. If `data` is an object, each of its members is compared with that of the event.
 * Source: Open Workflow Specification DSL 1.0.3, "Event Filter".
 * @throws EventFilterError when the filter is too large, JqSyntaxError when an expression of it cannot be compiled.
 */
export function compileEventFilter(filter: JsonObject): EventFilter {
  const meter: Meter = { steps: 0 }
  const values = compileValues(filter, meter)
  return {
    ...describeEventFilter(filter),
    values(event, scope) {
      meter.steps = 0
      return values(event, scope)
    },
    steps: () => meter.steps,
  }
}

/** The properties of a filter that are known before it is compiled. */
export function describeEventFilter(filter: JsonObject): Pick<EventFilter, 'readsScope' | 'correlations' | 'type'> {
  const { attributes, from, variables } = partsOf(filter)
  return {
    readsScope: variables.length > 0,
    correlations: Object.keys(from),
    type: typeof attributes.type === 'string' ? exactType(attributes.type) : undefined,
  }
}

function partsOf(filter: JsonObject) {
  return {
    attributes: isObject(filter.with) ? filter.with : {},
    from: isObject(filter.from) ? filter.from : {},
    variables: Array.isArray(filter.variables) ? filter.variables.filter((name) => typeof name === 'string') : [],
  }
}

function compileValues(filter: JsonObject, meter: Meter): EventFilter['values'] {
  const { length } = JSON.stringify(filter)
  if (length > FILTER_LENGTH_MAX) throw new EventFilterError(`it has ${length} characters, more than ${FILTER_LENGTH_MAX}`)
  const { attributes, from, variables } = partsOf(filter)
  const tests = Object.entries(attributes).map(([name, expected]) => ({
    name,
    passes: compileTest(expected, name === 'data', variables, meter),
  }))
  const correlations = Object.entries(from).map(([name, source]) => ({
    name,
    value: compileExpression(typeof source === 'string' ? source : '', variables, meter),
  }))
  return (event, scope) => {
    if (attributes.type === undefined && typeof event.type === 'string' && event.type.startsWith(LIFECYCLE_TYPE_PREFIX)) return undefined
    for (const { name, passes } of tests) if (!Object.hasOwn(event, name) || !passes(event[name] ?? null, scope)) return undefined
    const values: [string, Json][] = []
    for (const { name, value } of correlations) {
      const extracted = value(event, scope)
      // An event without the value belongs to nothing in particular.
      if (extracted === undefined || extracted === null) return undefined
      // Each listener compares it and makes a key of it.
      weigh(extracted, (steps) => charge(meter, steps))
      values.push([name, extracted])
    }
    // Not by assignment, for which "__proto__" is no name like others.
    return Object.fromEntries(values)
  }
}

function charge(meter: Meter, steps: number): void {
  meter.steps += steps
  if (meter.steps > STEPS_MAX) throw new EventFilterError(`it took more than ${STEPS_MAX} steps`)
}

function exactType(type: string): string | undefined {
  return isRuntimeExpression(type) || PATTERN.test(type) ? undefined : type
}

function compileTest(expected: Json, isData: boolean, names: readonly string[], meter: Meter): Test {
  const isExpected = (one: Json, other: Json) => isEqual(one, other, (steps) => charge(meter, steps))
  if (typeof expected === 'string' && isRuntimeExpression(expected)) {
    const expression = compileExpression(expected, names, meter)
    return (value, scope) => {
      const result = expression(value, scope)
      return result === true || (result !== undefined && result !== null && result !== false && isExpected(result, value))
    }
  }
  if (isObject(expected)) {
    const members = Object.entries(expected).map(([name, member]) => ({ name, passes: compileTest(member, true, names, meter) }))
    return (value, scope) =>
      isObject(value) && members.every(({ name, passes }) => Object.hasOwn(value, name) && passes(value[name] ?? null, scope))
  }
  if (typeof expected !== 'string' || isData || !PATTERN.test(expected)) return (value) => isExpected(expected, value)
  const pattern = compilePattern(expected, meter)
  return (value) => value === expected || (typeof value === 'string' && pattern !== undefined && pattern(value))
}

/** A value that is no regular expression stands for itself alone. */
function compilePattern(text: string, meter: Meter): ((value: string) => boolean) | undefined {
  if (sizeOf(text) > PATTERN_SIZE_MAX) throw new EventFilterError('a pattern of it repeats too much')
  try {
    const pattern = RE2JS.compile(text)
    const stepsPerCharacter = (1 + pattern.programSize()) / INSTRUCTIONS_PER_STEP
    return (value) => {
      charge(meter, Math.ceil(value.length * stepsPerCharacter))
      return pattern.matcher(value).matches()
    }
  } catch {
    return undefined
  }
}

/** How large the program of a pattern can become: repetitions that are nested multiply it. */
function sizeOf(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Math.max(1, Number(from), Number(to ?? 0)))
  return (
    pattern.length *
    Math.min(
      REPETITIONS_MAX,
      counts.reduce((product, count) => product * count, 1),
    )
  )
}

function compileExpression(text: string, names: readonly string[], meter: Meter): Expression {
  const program = compile(unwrapExpression(text), { variables: names, limits: LIMITS, clock: Date.now })
  return (value, scope) => {
    const given: Record<string, Json> = Object.create(null)
    for (const name of names) given[name] = (Object.hasOwn(scope, name) ? scope[name] : undefined) ?? null
    const output = first(program, value, given)
    charge(meter, 1 + program.steps())
    return output
  }
}

function first(program: ReturnType<typeof compile>, value: Json, given: Readonly<Record<string, Json>>): Json | undefined {
  try {
    return program.first(value, given)
  } catch (error) {
    if (!(error instanceof JqLimitError)) return undefined
    const cause = error.limit === 'steps' ? `it took more than ${STEPS_MAX} steps` : error.message
    throw new EventFilterError(cause, { cause: error })
  }
}

function weigh(value: Json, spend: (steps: number) => void): void {
  spend(comparisonSteps(value))
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) weigh(member, spend)
}

import { isRuntimeExpression, unwrapExpression } from '@millrace/dsl'
import { compile } from '@millrace/jq'
import { RE2JS } from 're2js'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { LIFECYCLE_TYPE_PREFIX } from '#core/event.ts'

/** What one expression may cost for one event. */
const LIMITS = { steps: 200_000, outputs: 10_000, depth: 1_000, deadlineMs: 100 } as const
/** Characters that make a value a pattern; a dot stands for itself as well, as nearly all types of events have dots. */
const PATTERN = /[*+?()[\]{}|^$\\]/

/** A filter of events as `listen` and subscriptions have them, ready to be asked. */
export interface EventFilter {
  /** Whether its expressions read anything of the execution that listens. */
  readonly readsScope: boolean
  /** Names of its correlations. */
  readonly correlations: readonly string[]
  /** The only type of event that can pass; undefined where any might. */
  readonly type: string | undefined
  /**
   * Whether the event has every attribute that is asked for, and its values for the correlations; undefined when it does not pass.
   * An expression that fails on an event does not let it pass.
   */
  values(event: JsonObject, scope: JsonObject): JsonObject | undefined
}

type Test = (value: Json, scope: JsonObject) => boolean

/**
 * Compiles `{ with, from, variables }`: attributes that an event must have, expressions on the event by the name of the correlation, and the
 * names of the variables that may be read. An attribute is equal, matches as a regular expression (RE2, the whole value), or is an expression
 * on the value that gives true or the value itself. `data` may be an object, of which each member is held against that of the event.
 * Source: Open Workflow Specification DSL 1.0.3, "Event Filter".
 */
export function compileEventFilter(filter: JsonObject): EventFilter {
  const attributes = isObject(filter.with) ? filter.with : {}
  const from = isObject(filter.from) ? filter.from : {}
  const variables = Array.isArray(filter.variables) ? filter.variables.filter((name) => typeof name === 'string') : []
  const tests = Object.entries(attributes).map(([name, expected]) => ({ name, passes: compileTest(expected, name === 'data', variables) }))
  const correlations = Object.entries(from).map(([name, source]) => ({
    name,
    value: compileExpression(typeof source === 'string' ? source : '', variables),
  }))
  const type = typeof attributes.type === 'string' ? exactType(attributes.type) : undefined
  return {
    readsScope: variables.length > 0,
    correlations: correlations.map(({ name }) => name),
    type,
    values(event, scope) {
      if (attributes.type === undefined && typeof event.type === 'string' && event.type.startsWith(LIFECYCLE_TYPE_PREFIX)) return undefined
      for (const { name, passes } of tests) if (!Object.hasOwn(event, name) || !passes(event[name] ?? null, scope)) return undefined
      const values: [string, Json][] = []
      for (const { name, value } of correlations) {
        const extracted = value(event, scope)
        // An event without the value belongs to nothing in particular.
        if (extracted === undefined || extracted === null) return undefined
        values.push([name, extracted])
      }
      // Not by assignment, for which "__proto__" is no name like others.
      return Object.fromEntries(values)
    },
  }
}

function exactType(type: string): string | undefined {
  return isRuntimeExpression(type) || PATTERN.test(type) ? undefined : type
}

function compileTest(expected: Json, isData: boolean, names: readonly string[]): Test {
  if (typeof expected === 'string' && isRuntimeExpression(expected)) {
    const expression = compileExpression(expected, names)
    return (value, scope) => {
      const result = expression(value, scope)
      return result === true || (result !== undefined && result !== null && result !== false && isEqual(result, value))
    }
  }
  if (isObject(expected)) {
    const members = Object.entries(expected).map(([name, member]) => ({ name, passes: compileTest(member, true, names) }))
    return (value, scope) =>
      isObject(value) && members.every(({ name, passes }) => Object.hasOwn(value, name) && passes(value[name] ?? null, scope))
  }
  if (typeof expected !== 'string' || isData || !PATTERN.test(expected)) return (value) => isEqual(expected, value)
  const pattern = compilePattern(expected)
  return (value) => value === expected || (typeof value === 'string' && pattern !== undefined && pattern(value))
}

/** A value that is no regular expression stands for itself alone. */
function compilePattern(text: string): ((value: string) => boolean) | undefined {
  try {
    const pattern = RE2JS.compile(text)
    return (value) => pattern.matcher(value).matches()
  } catch {
    return undefined
  }
}

function compileExpression(text: string, names: readonly string[]): (value: Json, scope: JsonObject) => Json | undefined {
  const program = compile(unwrapExpression(text), { variables: names, limits: LIMITS, clock: Date.now })
  return (value, scope) => {
    const given: Record<string, Json> = Object.create(null)
    for (const name of names) given[name] = (Object.hasOwn(scope, name) ? scope[name] : undefined) ?? null
    try {
      return program.first(value, given)
    } catch {
      return undefined
    }
  }
}

export function isEqual(one: Json, other: Json): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const members = Object.entries(one)
  if (members.length !== Object.keys(other).length) return false
  return members.every(([name, member]) => Object.hasOwn(other, name) && isEqual(member, Reflect.get(other, name)))
}

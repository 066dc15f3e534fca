import {
  calledFunction,
  catalogFunction,
  type Definition,
  type EventConsumptionStrategy,
  type EventFilter,
  eachTask,
  featuresNeeded,
  knownNames,
  lackOf,
  type OptionalFeature,
  type PlacedTask,
  type Task,
} from '@millrace/dsl'
import { END_TYPES } from '#core/event.ts'
import type { Installation } from './context.ts'
import { readsVariable, variablesOfExpression, variablesRead } from './expression.ts'
import { createPatternCheck, type PatternCheck } from '#schema/pattern-check.ts'

/** A feature of a definition that this engine lacks, and its place. */
export interface Unsupported {
  /** JSON Pointer into the definition. */
  readonly pointer: string
  readonly what: string
}

export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError'
  readonly unsupported: readonly Unsupported[]
  constructor(unsupported: readonly Unsupported[]) {
    super(unsupported.map(({ pointer, what }) => `${pointer}: ${what}`).join('; '))
    this.unsupported = unsupported
  }
}

/** Features that no installation can run with this engine. */
const lacking: ReadonlySet<OptionalFeature> = new Set<OptionalFeature>([
  'call.grpc',
  'call.asyncapi',
  'call.a2a',
  'call.mcp.stdio',
  'run.container',
  'run.shell',
  'run.script.python',
  'schema.format',
  'evaluate.loose',
])

/** Features whose resources are fetched when a definition is published. */
const fetched: ReadonlySet<OptionalFeature> = new Set<OptionalFeature>(['call.function.cataloged', 'run.script.source', 'schema.resource'])

/** All features of a valid definition that this engine cannot run, for a report when the definition is saved. */
export function unsupportedIn(definition: Definition, { resources, functions }: Partial<Installation> = {}): readonly Unsupported[] {
  const found: Unsupported[] = featuresNeeded(definition)
    .filter(({ feature }) => lacking.has(feature) || (resources === undefined && fetched.has(feature)))
    .map(({ feature, pointer }) => ({ pointer, what: inWords(feature) }))
  const patterns = createPatternCheck()
  inData(definition, '', patterns, found)
  if (definition.schedule?.on !== undefined) inSchedule(definition.schedule.on, '/schedule/on', found)
  for (const task of eachTask(definition)) {
    inData(task.task, task.pointer, patterns, found)
    if (task.kind === 'listen') inListen(task, patterns, found)
    if (task.kind === 'call') inCall(task, definition, functions ?? [], found)
  }
  return found
}

function inWords(feature: OptionalFeature): string {
  const { message, hint } = lackOf(feature)
  return `${message} ${hint}`
}

function inCall(
  { task, pointer }: Extract<PlacedTask, { readonly kind: 'call' }>,
  { use }: Definition,
  functions: Installation['functions'],
  found: Unsupported[],
): void {
  const called = calledFunction(task.call, knownNames(use))
  if (called.kind !== 'default' || catalogFunction(functions, called.name, called.version) !== undefined) return
  found.push({ pointer: `${pointer}/call`, what: `This installation has no function "${task.call}".` })
}

function inListen({ task, pointer }: Extract<PlacedTask, { readonly kind: 'listen' }>, patterns: PatternCheck, found: Unsupported[]): void {
  inFilters(task.listen.to, `${pointer}/listen/to`, found)
  if (task.foreach !== undefined) inData(task.foreach, `${pointer}/foreach`, patterns, found)
}

/** Data that a filter reads of an execution is stored with it, and secrets are never stored. */
function inFilters(strategy: EventConsumptionStrategy, pointer: string, found: Unsupported[]): void {
  for (const { at, filter } of filtersIn(strategy, pointer)) {
    if (readsVariable(filter, 'secrets'))
      found.push({ pointer: at, what: 'a filter of events cannot read secrets, since what it reads is stored' })
  }
  if ('any' in strategy && typeof strategy.until === 'object') inFilters(strategy.until, `${pointer}/until`, found)
}

/** The events of a schedule are recognized before there is an execution whose data a filter could read. */
function inSchedule(strategy: EventConsumptionStrategy, pointer: string, found: Unsupported[]): void {
  const refuse = (at: string, [name]: readonly string[]) => {
    if (name !== undefined)
      found.push({ pointer: at, what: `what starts a workflow cannot read $${name}, since there is no execution yet` })
  }
  for (const { at, filter } of filtersIn(strategy, pointer)) {
    const { with: attributes, correlate = {} } = filter
    refuse(`${at}/with`, variablesRead(attributes, unbound))
    for (const [name, { from, expect = '' }] of Object.entries(correlate))
      refuse(`${at}/correlate/${name}`, [...variablesOfExpression(from, unbound), ...variablesRead(expect, unbound)])
    if (attributes.type !== undefined && lifecycleType.test(attributes.type) && !END_TYPES.includes(attributes.type))
      found.push({ pointer: `${at}/with/type`, what: `of the lifecycle events only ${END_TYPES.join(', ')} start workflows` })
  }
  const until = 'any' in strategy ? strategy.until : undefined
  if (typeof until === 'string') refuse(`${pointer}/until`, variablesOfExpression(until, unbound))
  if (typeof until === 'object') inSchedule(until, `${pointer}/until`, found)
}

/** Other types with this prefix are events of users, as in the examples of the specification. */
const lifecycleType = /^io\.serverlessworkflow\.(?:workflow|task)\./
const unbound = { locals: [], clock: { nowMs: 0 } }

function filtersIn(strategy: EventConsumptionStrategy, pointer: string): readonly { readonly at: string; readonly filter: EventFilter }[] {
  if ('one' in strategy) return [{ at: `${pointer}/one`, filter: strategy.one }]
  const [name, filters] = 'all' in strategy ? ['all', strategy.all] : ['any', strategy.any]
  return filters.map((filter, index) => ({ at: `${pointer}/${name}/${index}`, filter }))
}

function inData(data: Pick<Task, 'input' | 'output' | 'export'>, pointer: string, patterns: PatternCheck, found: Unsupported[]): void {
  for (const part of ['input', 'output', 'export'] as const) {
    const schema = data[part]?.schema
    if (schema === undefined || !('document' in schema)) continue
    const at = `${pointer}/${part}/schema/document`
    for (const fault of patterns(schema.document)) found.push({ pointer: at + fault.pointer, what: fault.what })
  }
}

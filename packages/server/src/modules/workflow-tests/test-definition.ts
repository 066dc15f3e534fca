import { Fault, type JsonValue } from '@millrace/contract'
import { type Definition, eachTask, type JsonObject, suggest } from '@millrace/dsl'
import { scopeAt, stepsRead } from '@millrace/dsl/shapes'
import { escapePointer, unescapePointer } from '#platform/json-pointer.ts'

/** What replaces real inputs and outputs in a test. */
export interface TestPlan {
  /** The reference of the task that runs alone; the whole definition runs without one. */
  readonly task: string | undefined
  readonly taskInput: JsonValue
  readonly context: JsonValue | undefined
  /** Items of loops around the task, by the name of their variable. */
  readonly items: Readonly<Record<string, JsonValue>>
  /** Outputs by the references of tasks, of samples and of pins. */
  readonly outputs: ReadonlyMap<string, JsonValue>
  /** References of tasks that must exist: without its pin, a task would act for real. */
  readonly pinned: readonly string[]
}

type Document = Record<string, unknown>
type TaskObject = Record<string, unknown>

/** The definition that a test runs: one task with a given input, or the whole with pinned outputs. Fault `request_invalid` for an unknown task or pin. */
export function testDefinition(definition: Document, plan: TestPlan): Document {
  const { schedule: _schedule, ...document } = structuredClone(definition)
  assertPinned(document, plan.pinned)
  return plan.task === undefined ? withPins(document, plan.outputs) : withOneTask(document, plan, plan.task)
}

function assertPinned(document: Document, pinned: readonly string[]): void {
  const unknown = pinned.filter((reference) => placeOf(document, reference) === undefined)
  if (unknown.length === 0) return
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The definition was validated.
  const known = [...eachTask(document as unknown as Definition)].map(({ pointer }) => pointer)
  const errors = unknown.map((reference) => {
    const close = suggest(reference, known)
    const meant = close === undefined ? '' : ` Did you mean ${JSON.stringify(close)}?`
    return { pointer: `/pins/${escapePointer(reference)}`, detail: `The definition has no task with this reference.${meant}` }
  })
  throw new Fault('request_invalid', { errors })
}

function withPins(document: Document, outputs: TestPlan['outputs']): Document {
  for (const [reference, output] of outputs) {
    const place = placeOf(document, reference)
    if (place === undefined) continue
    const { if: condition, then, export: exported } = place.task
    place.entry[place.name] = defined({ if: condition, set: literalOf(output), export: exported, then })
  }
  return document
}

function withOneTask(document: Document, { taskInput, context, items, outputs }: TestPlan, reference: string): Document {
  const place = placeOf(document, reference)
  if (place === undefined)
    throw new Fault('request_invalid', { errors: [{ pointer: '/task', detail: 'The definition has no task with this reference.' }] })
  const { input: _input, output: _output, ...rest } = document
  const { then: _then, ...task } = place.task
  let alone: TaskObject = { [place.name]: task }
  for (const loop of place.loops.toReversed()) alone = { [loop.name]: loopOver(loop, items, alone) }
  const names = new Set([place.name, ...place.loops.map(({ name }) => name)])
  const before = [...earlierOutputs(document, place.task, reference, outputs)].filter(([name]) => !names.has(name))
  for (const [name] of before) names.add(name)
  let first = 'givenInput'
  while (names.has(first)) first += '2'
  const given = defined({ set: literalOf(taskInput), export: context === undefined ? undefined : { as: literalOf(context) } })
  return { ...rest, do: [...before.map(([name, output]) => ({ [name]: { set: literalOf(output) } })), { [first]: given }, alone] }
}

/** Outputs of the tasks before a task, by name, for `$steps`. Fault `request_invalid` if it reads one of which no output is known. */
function earlierOutputs(
  document: Document,
  task: TaskObject,
  reference: string,
  outputs: TestPlan['outputs'],
): ReadonlyMap<string, JsonValue> {
  const read = stepsRead(jsonOf(task))
  const found = new Map<string, JsonValue>()
  for (const { name, pointer } of scopeAt(jsonOf(document), reference)?.steps ?? []) {
    const output = outputs.get(pointer)
    if (output !== undefined) found.set(name, output)
    else if (read.has(name) && pointer !== reference)
      throw new Fault('request_invalid', {
        errors: [
          {
            pointer: `/pins/${escapePointer(pointer)}`,
            detail: `The task reads the output of "${name}", and none is given. Give it here, or save a sample of that task.`,
          },
        ],
      })
  }
  return found
}

function jsonOf(value: Document): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is JSON.
  return value as JsonObject
}

interface Loop {
  readonly name: string
  readonly each: string
  readonly at: string | undefined
}

interface Place {
  readonly entry: TaskObject
  readonly name: string
  readonly task: TaskObject
  /** The loops around the task, the outermost first. */
  readonly loops: readonly Loop[]
}

function loopOver({ each, at }: Loop, items: TestPlan['items'], body: TaskObject): TaskObject {
  const item = Object.hasOwn(items, each) ? (items[each] ?? null) : null
  return { for: defined({ each, in: literalOf([item]), at }), do: [body] }
}

/** Finds a task by its reference: `/do/1/loop/do/0/pay`. */
function placeOf(document: Document, reference: string): Place | undefined {
  let at: unknown = document
  let entry: TaskObject | undefined
  let name = ''
  const loops: Loop[] = []
  for (const part of reference.slice(1).split('/').map(unescapePointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    const loop = loopOf(name, at)
    if (part === 'do' && loop !== undefined) loops.push(loop)
    const next: unknown = Reflect.get(at, part)
    entry = isObject(at) ? at : undefined
    name = part
    at = next
  }
  return entry !== undefined && isObject(at) && Object.keys(entry).length === 1 ? { entry, name, task: at, loops } : undefined
}

function loopOf(name: string, task: object): Loop | undefined {
  const loop: unknown = 'for' in task ? task.for : undefined
  if (!isObject(loop)) return undefined
  const { each, at } = loop
  return { name, each: typeof each === 'string' ? each : 'item', at: typeof at === 'string' ? at : undefined }
}

/** A value as an expression, in which nothing is evaluated: JSON is a literal of jq. */
function literalOf(value: JsonValue): string {
  return `\${ ${JSON.stringify(value)} }`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

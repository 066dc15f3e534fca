import { either, memberOf, objectOf, type Traced, unknown, unsure } from '@millrace/jq/tracing'
import type { Json, JsonObject } from '#src/json.ts'
import { childPointer } from '#src/parse/pointer.ts'
import { kindsOf, shapeOfKind } from '#src/shape/choose.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { flowOfList, type ListFlow } from '#src/tasks/list-flow.ts'
import { readBelow, readCondition, type Sight, valueOfData, valueOfTransformation, variablesOf } from './expressions.ts'

/** What is around a list of tasks. */
interface Scope {
  readonly context: Traced
  /** Outputs of earlier tasks. */
  readonly steps: ReadonlyMap<string, Traced>
  /** Variables of loops and catches. */
  readonly locals: ReadonlyMap<string, Traced>
  /** Reads are certain of paths that begin like this: of all if it is empty, of none if it is undefined. */
  readonly certainBelow: string | undefined
}

interface Outcome {
  readonly output: Traced
  readonly context: Traced
}

interface NamedTask {
  readonly name: string
  readonly pointer: string
  readonly data: Json
}

/** Notes that a task reads a path of the input; `sure` if every run does, without a default. */
export type Note = (path: string, sure: boolean, task: Omit<NamedTask, 'data'>) => void

export interface Walk {
  readonly note: Note
  readonly workflow: Traced
  /** Tasks of extensions run around each task, and may replace its output. */
  readonly isExtended: boolean
  readonly budget: Sight['budget']
}

const never = { certainBelow: undefined } as const
const commonKeys = new Set(['if', 'input', 'output', 'export', 'timeout', 'then', 'metadata'])

/** Walks the main list with the transformed input of the workflow and returns its output. */
export function walkMain(walk: Walk, tasks: Json, input: Traced): Outcome {
  const scope: Scope = { context: input, steps: new Map(), locals: new Map(), certainBelow: '' }
  const outcome = walkList(walk, tasks, input, scope, '/do')
  return canEnd(tasks) ? { output: unknown, context: unknown } : outcome
}

function walkList(walk: Walk, list: Json | undefined, input: Traced, scope: Scope, pointer: string): Outcome {
  const entries = entriesOf(list, pointer)
  const flow = flowOfList(entries)
  const passedOver = indexesPassedOver(flow)
  const arrivals: Outcome[][] = entries.map(() => [])
  const leaving: Outcome[] = []
  const steps = new Map(scope.steps)
  let mayHaveEnded = false
  const arrive = (target: number | 'exit' | 'end', outcome: Outcome) => (arrivals[Number(target)] ?? leaving).push(outcome)
  arrive(0, { output: input, context: scope.context })
  for (const [index, entry] of entries.entries()) {
    const [first, ...others] = arrivals[index] ?? []
    if (first === undefined) continue
    // A task that the flow leads back to has other data later.
    const isLoop = flow.sources[index]?.some((source) => source >= index) === true
    const before = isLoop ? { output: unknown, context: unknown } : others.reduce((one, other) => eitherOutcome(walk, one, other), first)
    const isCertain = !passedOver[index] && !mayHaveEnded
    const outcome = walkTask(walk, entry, before.output, { ...scope, context: before.context, steps, ...(isCertain ? {} : never) })
    steps.set(entry.name, isCertain ? outcome.output : unsure(outcome.output))
    mayHaveEnded ||= canEnd(entry.data)
    for (const { target } of flow.exits[index] ?? []) if (typeof target !== 'number' || target > index) arrive(target, outcome)
  }
  const [last, ...others] = leaving
  return last === undefined ? { output: unknown, context: unknown } : others.reduce((one, other) => eitherOutcome(walk, one, other), last)
}

/** For each index of a list whether the flow can pass over it. */
function indexesPassedOver({ exits }: ListFlow): readonly boolean[] {
  const passed: boolean[] = exits.map(() => false)
  let until = 0
  for (const [index, found] of exits.entries()) {
    passed[index] = index < until
    for (const { target } of found) until = Math.max(until, typeof target === 'number' ? target : exits.length)
    // The next task is passed over only by a jump further on.
    if (until === index + 1) until = index
  }
  return passed
}

function walkTask(walk: Walk, task: NamedTask, raw: Traced, scope: Scope): Outcome {
  const { data } = task
  const [kind] = isObject(data) ? kindsOf(data) : []
  if (kind === undefined || !isObject(data)) return { output: unknown, context: unknown }
  readCondition(data['if'], sightOf(walk, task, raw, scope))
  const inner: Scope = 'if' in data || walk.isExtended ? { ...scope, ...never } : scope
  const from = objectAt(data, 'input')?.['from']
  const input = from === undefined ? raw : valueOfTransformation(from, sightOf(walk, task, raw, inner))
  const own = { input, task: objectOf(new Map([['input', raw]]), false) }
  const sight = sightOf(walk, task, input, inner, own)
  const shape = shapeOfKind(kind, data)
  const { timeout } = data
  const timeoutShape = shape.properties.get('timeout')?.shape
  if (timeout !== undefined && timeoutShape !== undefined) readBelow(timeoutShape, timeout, sight)
  const body = walkBody(walk, task, data, { kind, scope: inner, sight })
  const result = walk.isExtended ? { ...body, output: unknown } : body
  const ended = { ...inner, context: result.context }
  const as = objectAt(data, 'output')?.['as']
  const output = as === undefined ? result.output : valueOfTransformation(as, sightOf(walk, task, result.output, ended, own))
  const exported = objectAt(data, 'export')?.['as']
  const context =
    exported === undefined ? result.context : valueOfTransformation(exported, sightOf(walk, task, output, ended, { ...own, output }))
  return 'if' in data ? eitherOutcome(walk, { output, context }, { output: raw, context: scope.context }) : { output, context }
}

interface Body {
  readonly kind: ReturnType<typeof kindsOf>[number]
  readonly scope: Scope
  readonly sight: Sight
}

function walkBody(walk: Walk, task: NamedTask, data: JsonObject, body: Body): Outcome {
  const { kind, scope, sight } = body
  const { context } = scope
  switch (kind) {
    case 'set':
      return {
        output: typeof data['set'] === 'string' ? valueOfTransformation(data['set'], sight) : valueOfData(data['set'] ?? null, sight),
        context,
      }
    case 'do':
      return walkList(walk, data['do'], sight.dot, scope, `${task.pointer}/do`)
    case 'switch':
      readCases(data['switch'], sight)
      return { output: sight.dot, context }
    case 'for':
      return walkFor(walk, task, data, body)
    case 'fork':
      return walkFork(walk, task, objectAt(data, 'fork') ?? {}, body)
    case 'try':
      return walkTry(walk, task, data, body)
    case 'listen':
      walkMessages(walk, objectAt(data, 'foreach'), scope, `${task.pointer}/foreach`)
      return { output: unknown, context: hasExport(data['foreach']) ? unknown : context }
    default:
      return walkEffect(walk, task, data, body)
  }
}

/** A call, a process, an event, an error or a pause. Only a pause passes its input on. */
function walkEffect(walk: Walk, task: NamedTask, data: JsonObject, { kind, scope, sight }: Body): Outcome {
  const { properties } = shapeOfKind(kind, data)
  const subscription = data['call'] === 'asyncapi' ? objectAt(objectAt(data, 'with') ?? {}, 'subscription') : undefined
  for (const [key, value] of Object.entries(data)) {
    const shape = commonKeys.has(key) ? undefined : properties.get(key)?.shape
    if (shape !== undefined && subscription === undefined) readBelow(shape, value, sight)
  }
  const foreach = subscription === undefined ? undefined : objectAt(subscription, 'foreach')
  walkMessages(walk, foreach, scope, `${task.pointer}/with/subscription/foreach`)
  return { output: kind === 'wait' ? sight.dot : unknown, context: hasExport(foreach) ? unknown : scope.context }
}

/** The tasks for each message that comes: what they read of it is not known. */
function walkMessages(walk: Walk, foreach: JsonObject | undefined, scope: Scope, pointer: string): void {
  if (foreach === undefined) return
  const locals = withLocals(scope, [nameIn(foreach, 'item', 'item'), unknown], [nameIn(foreach, 'at', 'index'), unknown])
  walkList(walk, foreach['do'], unknown, { ...scope, ...never, locals, context: unknown }, `${pointer}/do`)
}

/** Only the first condition is always evaluated. */
function readCases(cases: Json | undefined, sight: Sight): void {
  let isFirst = true
  for (const { data } of entriesOf(cases, '')) {
    if (!isObject(data) || !('when' in data)) continue
    readCondition(data['when'], isFirst ? sight : { ...sight, found: (path) => sight.found(path, false) })
    isFirst = false
  }
}

function walkFor(walk: Walk, task: NamedTask, data: JsonObject, { scope, sight }: Body): Outcome {
  const loop = objectAt(data, 'for') ?? {}
  const list = loop['in'] === undefined ? unknown : valueOfTransformation(loop['in'], sight)
  const item = memberOf(list, undefined)
  const isConcurrent = objectAt(data, 'metadata')?.['concurrency'] !== undefined
  const context = hasExport(data['do']) ? unknown : scope.context
  const [origin] = list.origins
  const below = origin?.sure === true && list.origins.length === 1 ? `${origin.path}[]` : undefined
  const isCertain = scope.certainBelow !== undefined && below?.startsWith(scope.certainBelow) === true && !('while' in data)
  const locals = withLocals(scope, [nameIn(loop, 'each', 'item'), item], [nameIn(loop, 'at', 'index'), unknown])
  const inside: Scope = { ...scope, context, locals, certainBelow: isCertain ? below : undefined }
  // The next iteration gets the output of the one before, unless they run at the same time.
  const input = isConcurrent ? sight.dot : unknown
  readCondition(data['while'], sightOf(walk, task, input, { ...inside, ...never }, { input: sight.dot }))
  walkList(walk, data['do'], input, inside, `${task.pointer}/do`)
  return { output: unknown, context }
}

function walkFork(walk: Walk, task: NamedTask, fork: JsonObject, { scope, sight }: Body): Outcome {
  const inside = fork['compete'] === true ? { ...scope, ...never } : scope
  for (const branch of entriesOf(fork['branches'], `${task.pointer}/fork/branches`)) walkTask(walk, branch, sight.dot, inside)
  return { output: unknown, context: hasExport(fork['branches']) ? unknown : scope.context }
}

function walkTry(walk: Walk, task: NamedTask, data: JsonObject, { scope, sight }: Body): Outcome {
  const tried = walkList(walk, data['try'], sight.dot, scope, `${task.pointer}/try`)
  const clause = objectAt(data, 'catch') ?? {}
  const locals = withLocals(scope, [nameIn(clause, 'as', 'error'), unknown])
  const caught: Scope = { ...scope, ...never, locals, context: hasExport(data['try']) ? unknown : scope.context }
  const seen = sightOf(walk, task, sight.dot, caught, { input: sight.dot })
  for (const key of ['when', 'exceptWhen']) readCondition(clause[key], seen)
  const handled =
    clause['do'] === undefined
      ? { output: sight.dot, context: caught.context }
      : walkList(walk, clause['do'], sight.dot, caught, `${task.pointer}/catch/do`)
  return eitherOutcome(walk, tried, handled)
}

function sightOf(walk: Walk, task: NamedTask, dot: Traced, scope: Scope, own: Readonly<Record<string, Traced>> = {}): Sight {
  const { context, steps, locals, certainBelow } = scope
  const variables = variablesOf([
    ['workflow', walk.workflow],
    ['context', context],
    ['steps', objectOf(steps, false)],
    ...Object.entries(own),
    ...locals,
  ])
  const found = (path: string, sure: boolean) => {
    walk.note(path, sure && certainBelow !== undefined && path.startsWith(certainBelow), task)
  }
  return { dot, variables, found, budget: walk.budget }
}

function entriesOf(list: Json | undefined, pointer: string): readonly NamedTask[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: Json, index) =>
    Object.entries(isObject(item) ? item : {}).map(([name, data]) => ({ name, data, pointer: childPointer(`${pointer}/${index}`, name) })),
  )
}

function eitherOutcome({ budget }: Walk, one: Outcome, other: Outcome): Outcome {
  return { output: either(one.output, other.output, budget), context: either(one.context, other.context, budget) }
}

function withLocals({ locals }: Scope, ...added: readonly (readonly [string, Traced])[]): ReadonlyMap<string, Traced> {
  return new Map([...locals, ...added])
}

function nameIn(owner: JsonObject, key: string, otherwise: string): string {
  const name = owner[key]
  return typeof name === 'string' ? name.replace(/^\$/, '') : otherwise
}

/** Whether something in a task ends the workflow. */
function canEnd(value: Json | undefined): boolean {
  return someObject(value, (object) => object['then'] === 'end')
}

function hasExport(value: Json | undefined): boolean {
  return someObject(value, (object) => 'export' in object)
}

function someObject(value: Json | undefined, test: (object: JsonObject) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => someObject(item, test))
  return isObject(value) && (test(value) || Object.values(value).some((item) => someObject(item, test)))
}

import { type Absence, either, memberNames, memberOf, objectOf, type Traced, unknown, unsure } from '@millrace/jq/tracing'
import type { Json, JsonObject } from '#src/json.ts'
import { type Path, pointerOf } from '#src/parse/pointer.ts'
import { kindsOf, shapeOfKind } from '#src/shape/choose.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { flowOfList, type ListFlow } from '#src/tasks/list-flow.ts'
import { readBelow, readCondition, type Sight, valueOfTransformation, variablesOf, type WrittenExpression } from './expressions.ts'
import { type KnownFunctions, outputMembers } from './output-members.ts'

/** What is around a list of tasks. */
interface Scope {
  readonly context: Traced
  /** Outputs of earlier tasks. */
  readonly steps: ReadonlyMap<string, Traced>
  /** Those of them that made data of their own. */
  readonly sources: readonly Source[]
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
  readonly path: Path
  readonly data: Json
}

/** Notes that a task reads a path of the input; `sure` if every run does, without a default. */
export type Note = (path: string, sure: boolean, task: { readonly name: string; readonly pointer: string }) => void

/** A task that made data of its own, and whether it has certainly run before those behind it. */
export interface Source {
  readonly step: string
  readonly isCertain: boolean
}

/** What made the data at some place what it is there: the output of a step, or `input.from` of a task. */
export interface Maker {
  readonly kind: 'step' | 'input'
  readonly task: string
  /** JSON Pointer of that task. */
  readonly pointer: string
}

/** A member of the data that an expression reads and that the data there certainly does not have. */
export interface DataLack {
  readonly name: string
  readonly at: WrittenExpression
  readonly data: Traced
  /** The task of the expression; undefined for the workflow itself. */
  readonly task: string | undefined
  /** None for the input of the workflow. */
  readonly makers: readonly Maker[]
  /** The data of the first task. */
  readonly start: Traced
  /** Outputs of earlier tasks; the walk adds to them afterwards. */
  readonly steps: ReadonlyMap<string, Traced>
  /** Those of them that made data of their own. */
  readonly sources: readonly Source[]
}

export interface Walk {
  readonly note: Note
  readonly lacks?: ((lack: DataLack) => void) | undefined
  readonly member?: Sight['member']
  /** What made data. */
  readonly makers: Map<Traced, readonly Maker[]>
  readonly workflow: Traced
  /** The data of the first task. */
  readonly start: Traced
  /** Tasks of extensions run around each task, and may replace its output. */
  readonly isExtended: boolean
  readonly functions: KnownFunctions
  readonly budget: Sight['budget']
  /** Outputs of earlier tasks that may still be handed to inner lists, so that many lists behind many tasks do not cost their product. */
  readonly handed: Sight['budget']
}

const never = { certainBelow: undefined } as const
const nothingKnown: Outcome = { output: unknown, context: unknown }
const commonKeys = new Set(['if', 'input', 'output', 'export', 'timeout', 'then', 'metadata'])

/** Walks the main list with the transformed input of the workflow and returns its output. */
export function walkMain(walk: Walk, tasks: Json, input: Traced): Outcome {
  const scope: Scope = { context: input, steps: new Map(), sources: [], locals: new Map(), certainBelow: '' }
  const outcome = walkList(walk, tasks, input, scope, doPath)
  return canEnd(tasks) ? nothingKnown : outcome
}

const doPath: Path = { parent: undefined, key: 'do' }

function walkList(walk: Walk, list: Json | undefined, input: Traced, scope: Scope, path: Path): Outcome {
  walk.handed.left -= scope.steps.size + scope.sources.length
  if (walk.handed.left <= 0) return nothingKnown
  const entries = entriesOf(list, path)
  const flow = flowOfList(entries)
  const passedOver = indexesPassedOver(flow)
  const arrivals: Outcome[][] = entries.map(() => [])
  const leaving: Outcome[] = []
  const steps = new Map(scope.steps)
  const sources = [...scope.sources]
  let mayHaveEnded = false
  const arrive = (target: number | 'exit' | 'end', outcome: Outcome) => (arrivals[Number(target)] ?? leaving).push(outcome)
  arrive(0, { output: input, context: scope.context })
  for (const [index, entry] of entries.entries()) {
    // A task that the flow leads back to has other data later.
    const isLoop = flow.sources[index]?.some((source) => source >= index) === true
    const [first = isLoop ? nothingKnown : undefined, ...others] = arrivals[index] ?? []
    if (first === undefined) continue
    const before = isLoop ? nothingKnown : others.reduce((one, other) => eitherOutcome(walk, one, other), first)
    const isCertain = !passedOver[index] && !mayHaveEnded
    const around = { ...scope, context: before.context, steps, sources }
    const outcome = walkTask(walk, entry, before.output, isCertain ? around : { ...around, ...never })
    steps.set(entry.name, isCertain ? outcome.output : unsure(outcome.output))
    if (outcome.output !== before.output) sources.push({ step: entry.name, isCertain })
    mayHaveEnded ||= canEnd(entry.data)
    for (const { target } of flow.exits[index] ?? []) if (typeof target !== 'number' || target > index) arrive(target, outcome)
  }
  const [last, ...others] = leaving
  return last === undefined ? nothingKnown : others.reduce((one, other) => eitherOutcome(walk, one, other), last)
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
  if (kind === undefined || !isObject(data)) return nothingKnown
  const at = (...keys: readonly string[]): Path => keys.reduce<Path>((parent, key) => ({ parent, key }), task.path)
  if (data['if'] !== undefined) readCondition(data['if'], sightOf(walk, task, raw, scope), at('if'))
  const inner: Scope = 'if' in data || walk.isExtended ? { ...scope, ...never } : scope
  const from = objectAt(data, 'input')?.['from']
  const input =
    from === undefined
      ? raw
      : madeBy(walk, makerOf('input', task), valueOfTransformation(from, sightOf(walk, task, raw, inner), at('input', 'from')))
  const own = { input, task: objectOf(new Map([['input', raw]]), false) }
  const sight = sightOf(walk, task, input, inner, own)
  const { timeout } = data
  const timeoutShape = timeout === undefined ? undefined : shapeOfKind(kind, data).properties.get('timeout')?.shape
  if (timeout !== undefined && timeoutShape !== undefined) readBelow(timeoutShape, timeout, sight, at('timeout'))
  const body = walkBody(walk, task, data, { kind, scope: inner, sight })
  const made = body.output === input ? input : madeBy(walk, makerOf('step', task), body.output)
  const result = { context: body.context, output: walk.isExtended ? unknown : made }
  const ended = { ...inner, context: result.context }
  const as = objectAt(data, 'output')?.['as']
  const output =
    as === undefined
      ? result.output
      : madeBy(walk, makerOf('step', task), valueOfTransformation(as, sightOf(walk, task, result.output, ended, own), at('output', 'as')))
  const exported = objectAt(data, 'export')?.['as']
  const context =
    exported === undefined
      ? result.context
      : valueOfTransformation(exported, sightOf(walk, task, output, ended, { ...own, output }), at('export', 'as'))
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
      return { output: valueOfTransformation(data['set'] ?? null, sight, { parent: task.path, key: 'set' }), context }
    case 'do':
      return walkList(walk, data['do'], sight.dot, scope, { parent: task.path, key: 'do' })
    case 'switch':
      readCases(data['switch'], sight, { parent: task.path, key: 'switch' })
      return { output: sight.dot, context }
    case 'for':
      return walkFor(walk, task, data, body)
    case 'fork':
      return walkFork(walk, task, objectAt(data, 'fork') ?? {}, body)
    case 'try':
      return walkTry(walk, task, data, body)
    case 'listen':
      walkMessages(walk, objectAt(data, 'foreach'), scope, { parent: task.path, key: 'foreach' })
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
    if (shape !== undefined && subscription === undefined) readBelow(shape, value, sight, { parent: task.path, key })
  }
  const foreach = subscription === undefined ? undefined : objectAt(subscription, 'foreach')
  const subscriptionPath = { parent: { parent: task.path, key: 'with' }, key: 'subscription' }
  walkMessages(walk, foreach, scope, { parent: subscriptionPath, key: 'foreach' })
  const names = outputMembers(data, walk.functions)
  const made = names === undefined ? unknown : objectOf(new Map(names.map((name) => [name, unknown])), true)
  return { output: kind === 'wait' ? sight.dot : made, context: hasExport(foreach) ? unknown : scope.context }
}

/** The tasks for each message that comes: what they read of it is not known. */
function walkMessages(walk: Walk, foreach: JsonObject | undefined, scope: Scope, path: Path): void {
  if (foreach === undefined) return
  const locals = withLocals(scope, [nameIn(foreach, 'item', 'item'), unknown], [nameIn(foreach, 'at', 'index'), unknown])
  walkList(walk, foreach['do'], unknown, { ...scope, ...never, locals, context: unknown }, { parent: path, key: 'do' })
}

/** Only the first condition is always evaluated. */
function readCases(cases: Json | undefined, sight: Sight, at: Path): void {
  let isFirst = true
  for (const { data, path } of entriesOf(cases, at)) {
    if (!isObject(data) || !('when' in data)) continue
    const seen = isFirst ? sight : { ...sight, found: (read: string) => sight.found(read, false) }
    readCondition(data['when'], seen, { parent: path, key: 'when' })
    isFirst = false
  }
}

function walkFor(walk: Walk, task: NamedTask, data: JsonObject, { scope, sight }: Body): Outcome {
  const loop = objectAt(data, 'for') ?? {}
  const forPath = { parent: task.path, key: 'for' }
  const list = loop['in'] === undefined ? unknown : valueOfTransformation(loop['in'], sight, { parent: forPath, key: 'in' })
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
  const seen = sightOf(walk, task, input, { ...inside, ...never }, { input: sight.dot })
  readCondition(data['while'], seen, { parent: task.path, key: 'while' })
  walkList(walk, data['do'], input, inside, { parent: task.path, key: 'do' })
  return { output: unknown, context }
}

function walkFork(walk: Walk, task: NamedTask, fork: JsonObject, { scope, sight }: Body): Outcome {
  const inside = fork['compete'] === true ? { ...scope, ...never } : scope
  const path = { parent: { parent: task.path, key: 'fork' }, key: 'branches' }
  for (const branch of entriesOf(fork['branches'], path)) walkTask(walk, branch, sight.dot, inside)
  return { output: unknown, context: hasExport(fork['branches']) ? unknown : scope.context }
}

function walkTry(walk: Walk, task: NamedTask, data: JsonObject, { scope, sight }: Body): Outcome {
  const tried = walkList(walk, data['try'], sight.dot, scope, { parent: task.path, key: 'try' })
  const catchPath = { parent: task.path, key: 'catch' }
  const clause = objectAt(data, 'catch') ?? {}
  const locals = withLocals(scope, [nameIn(clause, 'as', 'error'), unknown])
  const caught: Scope = { ...scope, ...never, locals, context: hasExport(data['try']) ? unknown : scope.context }
  const seen = sightOf(walk, task, sight.dot, caught, { input: sight.dot })
  for (const key of ['when', 'exceptWhen']) readCondition(clause[key], seen, { parent: catchPath, key })
  const handled =
    clause['do'] === undefined
      ? { output: sight.dot, context: caught.context }
      : walkList(walk, clause['do'], sight.dot, caught, { parent: catchPath, key: 'do' })
  return eitherOutcome(walk, tried, handled)
}

function sightOf(walk: Walk, task: NamedTask, dot: Traced, scope: Scope, own: Readonly<Record<string, Traced>> = {}): Sight {
  const { context, steps, sources, locals, certainBelow } = scope
  const variables = () =>
    variablesOf([['workflow', walk.workflow], ['context', context], ['steps', objectOf(steps, false)], ...Object.entries(own), ...locals])
  const found = (path: string, sure: boolean) => {
    walk.note(path, sure && certainBelow !== undefined && path.startsWith(certainBelow), { name: task.name, pointer: pointerOf(task.path) })
  }
  const lacks = (absence: Absence, at: WrittenExpression) => {
    // Of other values it is not known what replaced them.
    if (absence.of !== dot) return
    const { start, makers } = walk
    walk.lacks?.({ name: absence.name, at, data: dot, task: task.name, makers: makers.get(dot) ?? [], start, steps, sources })
  }
  return { dot, variables, found, lacks: walk.lacks === undefined ? undefined : lacks, member: walk.member, budget: walk.budget }
}

function entriesOf(list: Json | undefined, path: Path): readonly NamedTask[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: Json, index) =>
    Object.entries(isObject(item) ? item : {}).map(([name, data]) => ({
      name,
      data,
      path: { parent: { parent: path, key: index }, key: name },
    })),
  )
}

function makerOf(kind: Maker['kind'], { name, path }: NamedTask): Maker {
  return { kind, task: name, pointer: pointerOf(path) }
}

/** The same data with what made it. */
function madeBy({ makers }: Walk, maker: Maker, value: Traced): Traced {
  const made = { ...value }
  makers.set(made, [maker])
  return made
}

function eitherOutcome({ budget, makers }: Walk, one: Outcome, other: Outcome): Outcome {
  const output = either(one.output, other.output, budget)
  if (output !== one.output && memberNames(output) !== undefined)
    makers.set(output, [...new Set([one.output, other.output].flatMap((value) => makers.get(value) ?? []))])
  return { output, context: either(one.context, other.context, budget) }
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

import { type Json, type ParsedDefinition, parseDefinition, validateDefinition } from '@millrace/dsl'
import { compileWorkflow, createMachine, type Machine, type Scope } from '@millrace/engine/replay'
import { functionsOf } from '#src/rehearse/functions-of.ts'
import { sampleOutcome } from '#src/rehearse/outcomes.ts'

/** What a task made of a sample: of several rounds and tries the last. */
export interface RehearsedStep {
  readonly state: 'running' | 'completed' | 'faulted' | 'skipped' | 'waiting'
  readonly input: Json | undefined
  readonly output: Json | undefined
  readonly error:
    | { readonly type: string; readonly status: number; readonly title?: string | undefined; readonly detail?: string | undefined }
    | undefined
  readonly rounds: number
}

/** A walk of a definition over a sample, without any request. */
export interface Rehearsal {
  /** By the pointer of the task. */
  readonly steps: ReadonlyMap<string, RehearsedStep>
  readonly output: Json | undefined
  readonly error: RehearsedStep['error']
  /** Tasks that a sample result is needed for. */
  readonly missing: readonly string[]
  /** `unfit`: the input does not fit the schema of the definition, so that no task begins. */
  readonly end: 'completed' | 'faulted' | 'missing' | 'long' | 'unfit'
}

export interface RehearseOptions {
  readonly input: Json
  /** Results of tasks with effects, by the pointer of the task. */
  readonly pins: ReadonlyMap<string, Json>
  readonly startedAtMs: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
  /** Gets what each task can read when it begins. */
  readonly entered?: (reference: string, scope: Scope) => void
}

const budgetMs = 300
const resolvedMax = 2000

/** Rehearses a definition; undefined for one that is not valid or that the engine cannot run. */
export function rehearse(text: string, syntax: 'yaml' | 'json', options: RehearseOptions): Rehearsal | undefined {
  return rehearseParsed(parseDefinition(text, { format: syntax }), options)
}

/** Rehearses a definition that was read already. */
export function rehearseParsed(parsed: ParsedDefinition, options: RehearseOptions): Rehearsal | undefined {
  const { definition } = validated(parsed)
  if (definition === undefined) return undefined
  try {
    return walk(compileWorkflow(definition, { functions: functionsOf(definition), resources: {} }), options)
  } catch {
    return undefined
  }
}

/** Functions of the catalog count as known here. */
function validated(parsed: ParsedDefinition): ReturnType<typeof validateDefinition> {
  const first = validateDefinition(parsed)
  const unknown = first.diagnostics.filter(({ code, severity }) => severity === 'error' && code.includes('function'))
  const others = first.diagnostics.some(({ code, severity }) => severity === 'error' && !code.includes('function'))
  if (unknown.length === 0 || others) return first
  const names = namesCalled(parsed.document)
  return validateDefinition(parsed, { functions: names.map((name) => ({ name, version: '1.0.0' })) })
}

function namesCalled(value: Json | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const call = 'call' in value ? value['call'] : undefined
  const name = typeof call === 'string' ? [call.replace(/[:@].*$/, '')] : []
  return [...name, ...Object.values(value).flatMap(namesCalled)]
}

type Compiled = ReturnType<typeof compileWorkflow>

function walk(workflow: Compiled, { input, pins, startedAtMs, elapsed, entered }: RehearseOptions): Rehearsal {
  const began = elapsed()
  const isOver = () => elapsed() - began > budgetMs
  const seen = observed()
  const secrets = Object.fromEntries(workflow.secrets.map((name) => [name, '•••']))
  const execution = { id: 'rehearsal', definition: workflow.definition, input, startedAtMs, runtime: {}, secrets, nowMs: startedAtMs }
  const turn = { fuel: 0, interruptMs: 50, isOver, elapsed, tryBegin: () => true }
  const observer = entered === undefined ? seen.observer : { ...seen.observer, entered }
  const machine = createMachine(workflow, execution, observer, { turn })
  let left = resolvedMax
  while (machine.ending === undefined && machine.stall === undefined && left-- > 0 && !isOver()) {
    if (machine.paused) machine.continueAfterPause()
    else if (!advance(machine, pins, seen.referenceAt)) break
  }
  return result(machine, seen, pins)
}

/** Resolves one request: one with a sample, or the earliest timer if nothing else waits. */
function advance(machine: Machine, pins: ReadonlyMap<string, Json>, referenceAt: (position: string) => string): boolean {
  const requests = [...machine.pending.values()].map(({ request }) => request)
  const { nowMs } = machine.execution
  for (const request of requests) {
    const outcome = sampleOutcome(request, pins.get(referenceAt(request.position)), nowMs)
    if (outcome === undefined) continue
    machine.resolve(request.position, { ok: true, value: outcome.value }, nowMs)
    return true
  }
  const timers = requests.filter((request) => request.kind === 'timer').toSorted((one, other) => one.dueAtMs - other.dueAtMs)
  const [first] = timers
  if (first === undefined || timers.length < requests.length) return false
  machine.resolve(first.position, { ok: true, value: null }, Math.max(nowMs, first.dueAtMs))
  return true
}

function observed() {
  const steps = new Map<string, RehearsedStep>()
  const references = new Map<string, string>()
  const put = (reference: string, change: Partial<RehearsedStep>, round = 0) => {
    const { rounds, ...before } = steps.get(reference) ?? {
      state: 'running' as const,
      input: undefined,
      output: undefined,
      error: undefined,
      rounds: 0,
    }
    steps.set(reference, { ...before, ...change, rounds: rounds + round })
  }
  type Observer = NonNullable<Parameters<typeof createMachine>[2]>
  const observer: Observer = {
    skipped: (_position, { reference }) => put(reference, { state: 'skipped' }),
    started(position, { reference }, _at, input) {
      references.set(position, reference)
      put(reference, { state: 'running', input, output: undefined, error: undefined }, 1)
    },
    completed: (_position, { reference }, _at, output) => put(reference, { state: 'completed', output }),
    faulted: (_position, { reference }, _at, error) => put(reference, { state: 'faulted', error }),
  }
  /** A request stands at the position of its task, or below it. */
  const referenceAt = (position: string): string => {
    for (let at = position; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const found = references.get(at)
      if (found !== undefined) return found
    }
    return ''
  }
  return { steps, observer, referenceAt, put }
}

function result(machine: Machine, { steps, referenceAt, put }: ReturnType<typeof observed>, pins: ReadonlyMap<string, Json>): Rehearsal {
  const { ending } = machine
  if (ending?.ok === true) return { steps, output: ending.output, error: undefined, missing: [], end: 'completed' }
  if (ending !== undefined) {
    const isUnfit = steps.size === 0 && ending.error.instance === '/input'
    return { steps, output: undefined, error: ending.error, missing: [], end: isUnfit ? 'unfit' : 'faulted' }
  }
  const waiting = machine.stall === undefined ? [...machine.pending.values()].filter(({ request }) => request.kind !== 'timer') : []
  const missing = [...new Set(waiting.map(({ request }) => referenceAt(request.position)))].filter((reference) => !pins.has(reference))
  for (const reference of missing) put(reference, { state: 'waiting' })
  return { steps, output: undefined, error: undefined, missing, end: missing.length > 0 ? 'missing' : 'long' }
}

import { fnv1a } from './fnv1a.ts'
import type { Json, JsonObject } from './json.ts'
import type { Work } from './work.ts'

/** The constants of an execution, and its logical clock. */
export interface ExecutionInfo {
  readonly id: string
  readonly definition: Json
  /** Raw input, before `input.from`. */
  readonly input: Json
  readonly startedAtMs: number
  readonly runtime: JsonObject
  readonly secrets: JsonObject
  /** Given where the secrets are not read: the reference of the task that ended the execution with an error, if one did. */
  readonly withoutSecrets?: { readonly failedAt: string | undefined } | undefined
  /** The variables of the account that the definition names, as they were at the start; undefined until they are read. */
  variables?: JsonObject
  /**
   * The logical clock, milliseconds since the epoch: the time of the last resolved outcome, before the first the start. Everything inside
   * an execution reads this clock, so that a replay repeats the same times.
   */
  nowMs: number
}

/** The state of one strand (the main flow, or a branch of a fork). */
export interface Strand {
  readonly execution: ExecutionInfo
  /** The work of the execution; all its strands share it. */
  readonly work: Work
  context: Json
  /** The contexts that foreign functions under way do not see, innermost first. */
  callers: Caller | undefined
  /** Choices since the strand's last request. The next request carries them, so that a replay that chooses differently is detected. */
  decisions: string
  /** A digest of earlier choices, when there were too many to store. */
  digest: DecisionsDigest | undefined
  /** Tasks entered since the last pause for the event loop. */
  tasksSincePause: number
}

/** A strand at its beginning. */
export function createStrand(execution: ExecutionInfo, work: Work, context: Json = null): Strand {
  return { execution, work, context, callers: undefined, decisions: '', digest: undefined, tasksSincePause: 0 }
}

/** The context of the caller of a foreign function. */
export interface Caller {
  readonly context: Json
  readonly outer: Caller | undefined
}

/** Variables that a task binds for those inside it: loop items, caught errors. Innermost first. */
export interface Locals {
  readonly name: string
  readonly value: Json
  readonly outer: Locals | undefined
}

/** Outputs of the completed tasks of a list, by name, and of the lists around it. */
export interface Steps {
  readonly outputs: Map<string, Json>
  readonly outer: Steps | undefined
}

/** The surroundings of a list of tasks: its strand, its position and the variables that it sees. */
export interface Place {
  readonly strand: Strand
  /** Position of the enclosing task's run; unique within an execution. */
  readonly path: string
  readonly locals: Locals | undefined
  readonly steps: Steps | undefined
  readonly run: TaskRun
  /** Inside of a function from elsewhere, and of all that it calls. */
  readonly isForeign: boolean
}

/** Identifies a run of a task for people: the indices of the loops around it, outermost first, and the attempt of the innermost `try`, from 1. */
export interface TaskRun {
  readonly iteration: readonly number[]
  readonly attempt: number
}

/** The description of a task. */
export interface TaskInfo {
  readonly name: string
  /** JSON Pointer of the task in the definition, as `/do/0/charge/try/0/call`. */
  readonly reference: string
  readonly definition: Json
}

/** The data that expressions of one task may read. */
export interface Scope {
  readonly place: Place
  readonly task: TaskInfo | undefined
  readonly startedAtMs: number
  readonly rawInput: Json
  input: Json
  rawOutput: Json | undefined
  output: Json | undefined
}

export interface DecisionsDigest {
  readonly length: number
  readonly first: number
  readonly second: number
}

/** Longer decisions are stored as their length and a digest. Part of every replay, as is the next one. */
const DECISIONS_MAX = 256
/** Bounds the memory for the choices of a long stretch of pure work. */
const DECISIONS_BUFFERED_MAX = 4_096

/** `$task`: the description of a task and its data so far. */
export function describeTask({ task, rawInput, rawOutput, startedAtMs }: Scope): Json {
  if (task === undefined) return null
  return {
    name: task.name,
    reference: task.reference,
    definition: task.definition,
    input: rawInput,
    output: rawOutput ?? null,
    startedAt: describeTime(startedAtMs),
  }
}

export function describeTime(ms: number): Json {
  return { iso8601: new Date(ms).toISOString(), epoch: { seconds: Math.floor(ms / 1000), milliseconds: ms } }
}

/** A choice of the flow, one character for its kind (`if`, `switch`, `while`, `catch`, `until`, extension) and the number chosen. */
export function recordChoice(strand: Strand, kind: 'i' | 's' | 'w' | 'c' | 'u' | 'x', choice: number): void {
  strand.decisions += `${kind}${choice}`
  if (strand.decisions.length <= DECISIONS_BUFFERED_MAX) return
  strand.digest = digested(strand.digest, strand.decisions)
  strand.decisions = ''
}

/** Takes the decisions in their stored form: readable, or for a long stretch a digest that detects a difference. */
export function takeDecisions(strand: Strand): string {
  const { decisions, digest } = strand
  strand.decisions = ''
  strand.digest = undefined
  if (digest === undefined && decisions.length <= DECISIONS_MAX) return decisions
  const { length, first: one, second: other } = digested(digest, decisions)
  return `#${length}:${one.toString(16)}${other.toString(16)}`
}

/** Continues both hashes of an earlier digest with further decisions. */
function digested(before: DecisionsDigest | undefined, decisions: string): DecisionsDigest {
  return {
    length: (before?.length ?? 0) + decisions.length,
    first: fnv1a(decisions, before?.first),
    second: fnv1a(decisions, before?.second ?? 0x01000193, 0x85ebca6b),
  }
}

export function lookupLocal(locals: Locals | undefined, name: string): Json | undefined {
  for (let local = locals; local !== undefined; local = local.outer) if (local.name === name) return local.value
  return undefined
}

/** `$steps` as an object: the innermost list wins where two lists have a task of the same name. */
export function stepOutputs(steps: Steps | undefined): JsonObject {
  const lists: Steps[] = []
  for (let list = steps; list !== undefined; list = list.outer) lists.unshift(list)
  const outputs = new Map(lists.flatMap((list) => [...list.outputs]))
  return Object.fromEntries(outputs)
}

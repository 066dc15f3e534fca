import { JqInterrupted, JqLimitError } from '#src/errors.ts'
import type { PatternCache } from '#src/regex/pattern-cache.ts'
import type { Value } from '#src/values/value.ts'

/** The limits of one run of a program. */
export interface Limits {
  /** Items produced by streams, calls and loops, plus work in proportion to what a built-in handles. */
  readonly steps: number
  /** Values that `run` returns. */
  readonly outputs: number
  /** Calls of definitions inside one another. */
  readonly depth: number
  /** Elements, fields and characters of everything that the program makes. */
  readonly size: number
  /** Milliseconds of wall clock; with `Infinity` the outcome of a run never depends on the clock. */
  readonly deadlineMs: number
}

export const defaultLimits: Limits = { steps: 20_000_000, outputs: 1_000_000, depth: 10_000, size: 200_000_000, deadlineMs: 5_000 }

/** From this length on the first look at a text counts: the host may have to put it together out of its pieces. */
const longText = 4_096

/** Steps between two checks of the clock. */
const stepsPerCheck = 2_048
/** Reading or copying so many elements or characters takes about as long as a step. */
const unitsPerStep = 16
/**
 * The memory of a small container or of a field of a large object, in units of `size`: an element is one, about eight bytes.
 * The default of `size` keeps the worst program within the memory of a host of four gigabytes.
 */
export const containerSize = 4
export const fieldSize = 4

/**
 * The meters and the variables of the current run. Code is compiled against one machine and counts on it directly; runs do not
 * overlap, because evaluation never waits for anything.
 */
export interface Machine {
  readonly limits: Limits
  readonly elapsed: () => number
  readonly now: (() => number) | undefined
  /** Regular expressions that this program has used. */
  readonly patterns: PatternCache
  variables: Readonly<Record<string, Value>>
  /** Steps left until the next check. */
  fuel: number
  /** Steps handed out as fuel so far. */
  issued: number
  size: number
  depth: number
  /** Whether arithmetic has made a number that JSON cannot represent. */
  beyondJson: boolean
  /** The long text whose code points were counted last: texts are cut up piece by piece. */
  measured: Measured
  /** Reading of `elapsed` at the first check; short runs never look at a clock. */
  startedAt: number
  /** Runs so far. */
  run: number
  /** Milliseconds after which the run is interrupted. */
  interruptMs: number | undefined
}

/** A text, how many code points it has, and the place that was looked for last in code points and in units. */
export interface Measured {
  readonly text: string
  readonly points: number
  atPoint: number
  atUnit: number
}

const unmeasured: Measured = { text: '', points: 0, atPoint: 0, atUnit: 0 }
const noVariables: Readonly<Record<string, Value>> = Object.freeze({})

export function createMachine(limits: Limits, elapsed: () => number, now: (() => number) | undefined): Machine {
  const machine: Machine = {
    limits,
    elapsed,
    now,
    patterns: new Map(),
    variables: noVariables,
    fuel: 0,
    issued: 0,
    size: 0,
    depth: 0,
    beyondJson: false,
    measured: unmeasured,
    startedAt: -1,
    run: 0,
    interruptMs: undefined,
  }
  reset(machine, undefined, undefined)
  return machine
}

/**
 * The machine of the current run. Comparing values has no machine of its own, and a value that shares its parts can
 * be exponentially larger than the work of making it, so comparisons report here.
 */
let running: Machine | undefined

/** Counts work on behalf of whichever program is running. */
export function workOfRun(steps: number): void {
  if (running !== undefined) work(running, steps)
}

/** Nothing is counted between runs. After a callback of the host, in which another program may have run, counting resumes. */
export function setRunning(machine: Machine | undefined): void {
  running = machine
}

/** Ends a run; the meters keep their readings until the next one. */
export function finish(machine: Machine): void {
  running = undefined
  machine.measured = unmeasured
}

/** Steps that the last run has used. */
export function stepsOf(machine: Machine): number {
  return machine.issued - machine.fuel
}

/** Makes the meters ready for a run. */
export function reset(machine: Machine, variables: Readonly<Record<string, Value>> | undefined, interruptMs: number | undefined): void {
  running = machine
  machine.variables = variables ?? noVariables
  machine.fuel = Math.min(stepsPerCheck, machine.limits.steps)
  machine.issued = machine.fuel
  machine.size = 0
  machine.depth = 0
  machine.beyondJson = false
  machine.startedAt = -1
  machine.run++
  machine.interruptMs = interruptMs
}

/** Counts one step; this is all that the fast path pays. */
export function tick(machine: Machine): void {
  if (--machine.fuel < 0) refuel(machine)
}

/** Counts work in proportion to what a built-in handles. */
export function work(machine: Machine, steps: number): void {
  machine.fuel -= steps
  if (machine.fuel < 0) refuel(machine)
}

function refuel(machine: Machine): void {
  const { limits } = machine
  const used = machine.issued - machine.fuel
  if (used > limits.steps) throw new JqLimitError('steps', `The program took more than ${limits.steps} steps`)
  lookAtClock(machine)
  const granted = Math.min(stepsPerCheck, limits.steps - used)
  machine.fuel = granted
  machine.issued = used + granted
}

/** Counts what is made: elements, fields, characters. Making much takes time too, so that the clock is looked at in between. */
export function grow(machine: Machine, size: number): void {
  machine.size += size
  if (machine.size > machine.limits.size)
    throw new JqLimitError('size', `The program made more than ${machine.limits.size} elements and characters`)
  if (size >= unitsPerStep) work(machine, Math.floor(size / unitsPerStep))
}

/** Counts what is made on behalf of whichever program is running, before it is made. */
export function growOfRun(size: number): void {
  if (running !== undefined) grow(running, size)
}

/** Rounds of a loop are counted in lots of so many, a power of two. */
export const lotOfRounds = 256
const roundsMask = lotOfRounds - 1

/** Counts the next lot of rounds, and says where it ends. */
export function beginLot(machine: Machine, from: number, length: number): number {
  const end = Math.min(from + lotOfRounds, length)
  work(machine, end - from)
  return end
}

/** Counts the rounds of a loop over so many elements, a lot at a time as it gets there. */
export function round(machine: Machine, at: number, length: number): void {
  if ((at & roundsMask) === 0) work(machine, Math.min(roundsMask + 1, length - at))
}

/** Counts the reading of that many characters or elements. */
export function scan(machine: Machine, length: number): void {
  if (length >= unitsPerStep) work(machine, Math.floor(length / unitsPerStep))
}

/** The measures of a text; its code points are counted by `count` unless it is the text of the last call. */
export function measureOfRun(text: string, count: (text: string) => number): Measured {
  if (running === undefined || text.length < longText) return { text, points: count(text), atPoint: 0, atUnit: 0 }
  if (running.measured.text !== text) {
    scan(running, Math.min(text.length, longText * 16))
    running.measured = { text, points: count(text), atPoint: 0, atUnit: 0 }
  }
  return running.measured
}

/** Counts the rounds of a loop on behalf of whichever program is running, where so many of them take as long as a step. */
export function roundOfRun(at: number, length: number, roundsPerStep: number): void {
  if ((at & roundsMask) === 0 && running !== undefined) {
    work(running, Math.ceil(Math.min(roundsMask + 1, length - at) / roundsPerStep))
  }
}

/** Counts the reading of that many characters or elements on behalf of whichever program is running. */
export function scanOfRun(length: number): void {
  if (running !== undefined) scan(running, length)
}

/** Counts what a look at the beginning of a text can cost. */
export function touchOfRun(text: string): void {
  if (text.length >= longText) workOfRun(text.length >> 10)
}

/** Looks at the clock, after something that can take long however little it seemed to be. */
export function lookAtClock(machine: Machine): void {
  const { limits, interruptMs } = machine
  if (limits.deadlineMs === Number.POSITIVE_INFINITY && interruptMs === undefined) return
  const at = machine.elapsed()
  if (machine.startedAt < 0) machine.startedAt = at
  const taken = at - machine.startedAt
  if (taken > limits.deadlineMs) throw new JqLimitError('deadline', `The program ran for more than ${limits.deadlineMs} ms`)
  if (interruptMs !== undefined && taken > interruptMs) throw new JqInterrupted(interruptMs)
}

/** The result of arithmetic, noted when it is no number of JSON, so that outputs are only searched when there is one to find. */
export function computed(machine: Machine, result: number): number {
  if (!Number.isFinite(result)) machine.beyondJson = true
  return result
}

export function descend(machine: Machine): void {
  if (++machine.depth > machine.limits.depth)
    throw new JqLimitError('depth', `The program called more than ${machine.limits.depth} levels deep`)
}

import type { ComputationOutcome } from './computation.ts'
import { type ErrorData, standardError, WorkflowError } from './error.ts'
import { walkWorkflow } from './interpreter.ts'
import type { Json } from './json.ts'
import type { CompiledWorkflow } from './node.ts'
import type { Observer } from './observer.ts'
import type { BranchResults, ForkMode, ForkRequest, Outcome, Reply, Request, Stall, Walk } from './request.ts'
import { type ExecutionInfo, type Strand, takeDecisions } from './scope.ts'
import { EndSignal } from './walker.ts'
import { EXECUTION_STEPS_MAX, OverspentSignal, type Turn, Work } from './work.ts'

export type Ending =
  | { readonly ok: true; readonly output: Json; readonly decisions: string }
  | { readonly ok: false; readonly error: ErrorData; readonly decisions: string }

/** A request that waits for its outcome, with the decisions that its strand took since its previous request. */
export interface PendingRequest {
  readonly request: Request
  readonly decisions: string
}

/** The state of an execution between two outcomes. Synchronous and deterministic: the same outcomes in the same order give the same state. */
export interface Machine {
  readonly execution: ExecutionInfo
  readonly pending: ReadonlyMap<string, PendingRequest>
  readonly ending: Ending | undefined
  /** True after a long stretch of pure work: the driver yields to others and then calls `proceed`. */
  readonly paused: boolean
  /** How many pauses have ended since the last outcome. The order of concurrent strands depends on it, so a replay repeats the number. */
  readonly pauses: number
  /**
   * Why the machine stopped within a stretch of pure work; only machines with a turn do. Until `resume` is called, no request may be
   * resolved and `changes` is meaningless.
   */
  readonly stall: Stall | undefined
  /** @param outcome of the computation that the machine stopped for. */
  resume(outcome?: ComputationOutcome): void
  proceed(): void
  resolve(position: string, outcome: Outcome, atMs: number): void
  /** Changes since the last call: new requests, abandoned positions, ended waits. */
  changes(): MachineChanges
}

export interface MachineChanges {
  readonly opened: readonly PendingRequest[]
  readonly abandoned: readonly string[]
  readonly closed: readonly string[]
}

interface Track {
  readonly walk: Walk<Json>
  readonly strand: Strand
  readonly parent: Track | undefined
  readonly index: number
  waitsFor: string | undefined
  /** Positions of the waits that it has open. */
  waits: Set<string> | undefined
  fork: Fork | undefined
  done: boolean
}

interface Fork {
  readonly mode: ForkMode
  readonly tracks: readonly Track[]
  readonly outputs: Map<number, Json>
  error: WorkflowError | undefined
  left: number
}

/** Branches and lanes that one execution may have at one time, however its forks and loops are nested. A time limit is not a lane. */
export const EXECUTION_LANES_MAX = 10_000

/** Stretches of pure work, each of a thousand tasks, between two outcomes. */
const PAUSES_MAX = 10_000

type Step = { readonly track: Track; readonly reply: Reply } | { readonly track: Track; readonly thrown: unknown }

export interface MachineOptions {
  /** Its share of the processor; a machine without a turn never stalls. */
  readonly turn?: Turn | undefined
  /** Evaluations that ran out of time or memory according to the journal. */
  readonly failures?: ReadonlyMap<number, ErrorData> | undefined
}

/** Creates a machine at the beginning of an execution and runs it to its first requests or stall. */
export function createMachine(
  workflow: CompiledWorkflow,
  execution: ExecutionInfo,
  observer?: Observer,
  { turn, failures }: MachineOptions = {},
): Machine {
  const work = new Work(turn, failures)
  const strand: Strand = { execution, work, context: null, decisions: '', digest: undefined, steps: 0 }
  const root: Track = {
    walk: walkWorkflow(workflow, execution, strand, observer),
    strand,
    parent: undefined,
    index: 0,
    waitsFor: undefined,
    waits: undefined,
    fork: undefined,
    done: false,
  }
  const pending = new Map<string, PendingRequest & { readonly track: Track }>()
  let opened: PendingRequest[] = []
  let abandoned: string[] = []
  let closed: string[] = []
  /** Branches and lanes that have not ended. */
  let lanes = 0
  const paused: Track[] = []
  /** The track whose request stalled the machine. */
  let stalled: Track | undefined
  const ready: Step[] = [{ track: root, reply: undefined }]

  function run(): void {
    while (machine.stall === undefined) {
      const step = ready.shift()
      if (step === undefined) break
      if (!step.track.done) advance(step)
    }
    machine.paused = paused.length > 0
  }

  function advance(step: Step): void {
    const { track } = step
    try {
      const result = 'thrown' in step ? track.walk.throw(step.thrown) : track.walk.next(step.reply)
      if (result.done === true) complete(track, result.value)
      else if (result.value.kind === 'fork') fork(track, result.value)
      else if (result.value.kind === 'pause') paused.push(track)
      else if (result.value.kind === 'close') close(track, result.value.position)
      else if (result.value.kind === 'turn' || result.value.kind === 'compute') {
        stalled = track
        machine.stall = result.value
      } else open(track, result.value)
    } catch (error) {
      fail(track, error)
    }
  }

  function open(track: Track, request: Request): void {
    if (pending.has(request.position)) throw new Error(`two requests at one position: ${request.position}`)
    const decisions = takeDecisions(track.strand)
    track.waitsFor = request.position
    if (request.kind === 'message') (track.waits ??= new Set()).add(request.wait.position)
    const entry = { request, decisions, track }
    pending.set(request.position, entry)
    opened.push(entry)
  }

  function close(track: Track, position: string): void {
    if (track.waits?.delete(position) === true) closed.push(position)
    ready.push({ track, reply: undefined })
  }

  function fork(track: Track, request: ForkRequest): void {
    const tracks = request.branches.map((branch, index): Track => {
      return {
        walk: branch.walk,
        strand: branch.strand,
        parent: track,
        index,
        waitsFor: undefined,
        waits: undefined,
        fork: undefined,
        done: false,
      }
    })
    if (request.mode !== 'race') lanes += tracks.length
    if (lanes > EXECUTION_LANES_MAX)
      return failRunaway(`more than ${EXECUTION_LANES_MAX} branches and lanes would run at one time: lower the concurrency of nested loops`)
    track.fork = { mode: request.mode, tracks, outputs: new Map(), error: undefined, left: tracks.length }
    if (tracks.length === 0) join(track, track.fork)
    for (const branch of tracks) ready.push({ track: branch, reply: undefined })
  }

  function endTrack(track: Track): void {
    track.done = true
    if (track.parent?.fork !== undefined && track.parent.fork.mode !== 'race') lanes -= 1
  }

  function complete(track: Track, output: Json): void {
    endTrack(track)
    const { parent } = track
    if (parent?.fork === undefined) {
      machine.ending = { ok: true, output, decisions: takeDecisions(track.strand) }
      return
    }
    parent.fork.outputs.set(track.index, output)
    parent.fork.left -= 1
    if (parent.fork.mode !== 'all' || parent.fork.left === 0) join(parent, parent.fork)
  }

  function fail(track: Track, error: unknown): void {
    if (error instanceof OverspentSignal)
      return failRunaway(`its expressions and schemas took more than ${EXECUTION_STEPS_MAX} steps together`)
    endTrack(track)
    const { parent } = track
    const isFault = error instanceof WorkflowError
    if (parent?.fork === undefined) {
      if (!isFault) throw error
      machine.ending = { ok: false, error: error.data, decisions: takeDecisions(track.strand) }
      return
    }
    parent.fork.left -= 1
    if (isFault) parent.fork.error ??= error
    if (isFault && parent.fork.mode === 'any' && parent.fork.left > 0) return
    const thrown = error instanceof EndSignal || !isFault ? error : parent.fork.error
    abandonBranches(parent)
    ready.push({ track: parent, thrown })
  }

  function join(track: Track, { outputs }: Fork): void {
    const completed = [...outputs].toSorted(([one], [other]) => one - other).map(([index, output]) => ({ index, output }))
    abandonBranches(track)
    ready.push({ track, reply: { completed } satisfies BranchResults })
  }

  function abandonBranches(track: Track): void {
    for (const branch of track.fork?.tracks ?? []) {
      if (branch.done) continue
      endTrack(branch)
      if (branch.waitsFor !== undefined && pending.delete(branch.waitsFor)) abandoned.push(branch.waitsFor)
      if (branch.waits !== undefined) closed.push(...branch.waits)
      abandonBranches(branch)
    }
    track.fork = undefined
  }

  /** Faults the execution by an error that no task can catch, because the tasks themselves exceed the limit. */
  function failRunaway(detail: string): void {
    paused.length = 0
    ready.length = 0
    machine.paused = false
    abandonBranches(root)
    root.done = true
    machine.ending = { ok: false, error: standardError('runtime', detail, '/').data, decisions: takeDecisions(strand) }
  }

  function assertNotStalled(): void {
    if (machine.stall !== undefined) throw new Error('a stalled machine was moved')
  }

  // Plain fields: accessors would give each machine a hidden class of its own, which lives as long as a major collection lets it.
  const machine: MutableMachine = {
    execution,
    pending,
    ending: undefined,
    paused: false,
    pauses: 0,
    stall: undefined,
    resume(outcome) {
      if (machine.stall === undefined) throw new Error('a machine was resumed that is not stalled')
      machine.stall = undefined
      if (stalled !== undefined) ready.unshift({ track: stalled, reply: outcome })
      stalled = undefined
      run()
    },
    proceed() {
      assertNotStalled()
      machine.pauses += 1
      if (machine.pauses > PAUSES_MAX)
        return failRunaway(`${PAUSES_MAX * 1000} tasks ran without waiting for anything: the flow is endless`)
      for (const track of paused.splice(0)) ready.push({ track, reply: undefined })
      run()
    },
    resolve(position, outcome, atMs) {
      assertNotStalled()
      const entry = pending.get(position)
      if (entry === undefined) throw new Error(`an outcome arrived for ${position}, where no request waits for one`)
      pending.delete(position)
      entry.track.waitsFor = undefined
      machine.pauses = 0
      execution.nowMs = Math.max(execution.nowMs, atMs)
      ready.push({ track: entry.track, reply: outcome })
      run()
    },
    changes() {
      const changes = { opened: opened.filter((entry) => pending.get(entry.request.position) === entry), abandoned, closed }
      opened = []
      abandoned = []
      closed = []
      return changes
    },
  }
  if (turn?.mayBegin() === false) machine.stall = { kind: 'turn' }
  else run()
  return machine
}

type MutableMachine = { -readonly [member in keyof Machine]: Machine[member] }

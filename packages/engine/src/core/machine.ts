import type { ComputationOutcome } from './computation.ts'
import { type ErrorData, standardError, WorkflowError } from './error.ts'
import { walkWorkflow } from './interpreter.ts'
import type { Json } from './json.ts'
import type { CompiledWorkflow } from './node.ts'
import type { Observer } from './observer.ts'
import type { BranchResults, ForkMode, ForkRequest, Outcome, Reply, Request, Stall, Walk } from './request.ts'
import { createStrand, type ExecutionInfo, type Strand, takeDecisions } from './scope.ts'
import { EndSignal } from './walker.ts'
import { type Erased, EXECUTION_STEPS_MAX, StepBudgetExceeded, type Turn, Work } from './work.ts'

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
  /**
   * True after a long stretch of pure work: the driver lets other executions run and then calls `continueAfterPause`. A pause takes place at the same
   * task in every replay; a stall depends on the time of this process and leaves no trace.
   */
  readonly paused: boolean
  /** The number of pauses that ended since the last outcome. The order of concurrent strands depends on it, so a replay repeats the number. */
  readonly pauses: number
  /**
   * The reason why the machine stopped within pure work; only machines with a turn stall. Until `continueAfterStall` is called, no request may be
   * resolved and `changes` is meaningless.
   */
  readonly stall: Stall | undefined
  /** Continues a stalled machine. @param outcome the outcome of the computation for which it stalled; undefined after the end of a turn. */
  continueAfterStall(outcome?: ComputationOutcome): void
  /** Continues the strands that paused. */
  continueAfterPause(): void
  /** Passes the outcome of the request at `position` to its strand, and runs until every strand waits. @param atMs the new time of the logical clock. */
  resolve(position: string, outcome: Outcome, atMs: number): void
  /** Changes since the last call: new requests, abandoned positions, ended waits. */
  changes(): MachineChanges
}

export interface MachineChanges {
  readonly opened: readonly PendingRequest[]
  readonly abandoned: readonly string[]
  readonly closed: readonly string[]
}

/** The machine's record of one strand: its walk, its parent in the tree of forks, and the requests and waits that it has open. */
interface Track {
  readonly walk: Walk<Json>
  readonly strand: Strand
  readonly parent: Track | undefined
  readonly branchIndex: number
  /** The position of its pending request. */
  requestPosition: string | undefined
  /** The positions of its open waits. */
  openWaits: Set<string> | undefined
  fork: Fork | undefined
  done: boolean
}

/** A fork whose branches have not been joined. */
interface Fork {
  readonly mode: ForkMode
  readonly tracks: readonly Track[]
  readonly outputs: Map<number, Json>
  error: WorkflowError | undefined
  unfinished: number
}

/** The largest number of branches and lanes of one execution at one time, for any nesting of forks and loops. A deadline does not count as a lane. */
export const EXECUTION_LANES_MAX = 10_000

/** The largest number of pauses between two outcomes; a pause occurs after every thousand tasks. */
const PAUSES_MAX = 10_000

/** A track that can run, with the value or the error with which its walk is resumed. */
type Resumption = { readonly track: Track; readonly reply: Reply } | { readonly track: Track; readonly thrown: unknown }

export interface MachineOptions {
  /** The machine's share of processor time; a machine without a turn never stalls. */
  readonly turn?: Turn | undefined
  /** The evaluations that exceeded their time or memory according to the journal, by number. */
  readonly failures?: ReadonlyMap<number, ErrorData> | undefined
  readonly erased?: Erased | undefined
}

/** Creates a machine at the beginning of an execution and runs it to its first requests or stall. */
export function createMachine(
  workflow: CompiledWorkflow,
  execution: ExecutionInfo,
  observer?: Observer,
  { turn, failures, erased }: MachineOptions = {},
): Machine {
  const work = new Work(turn, failures, erased)
  const strand = createStrand(execution, work)
  const root: Track = {
    walk: walkWorkflow(workflow, execution, strand, observer),
    strand,
    parent: undefined,
    branchIndex: 0,
    requestPosition: undefined,
    openWaits: undefined,
    fork: undefined,
    done: false,
  }
  const pending = new Map<string, PendingRequest & { readonly track: Track }>()
  let opened: PendingRequest[] = []
  let abandoned: string[] = []
  let closed: string[] = []
  /** The number of branches and lanes that have not ended. */
  let lanes = 0
  const paused: Track[] = []
  /** The track whose walk stalled the machine. */
  let stalled: Track | undefined
  const ready: Resumption[] = [{ track: root, reply: undefined }]

  function run(): void {
    while (machine.stall === undefined) {
      const step = ready.shift()
      if (step === undefined) break
      if (!step.track.done) advance(step)
    }
    machine.paused = paused.length > 0
  }

  function advance(step: Resumption): void {
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
    track.requestPosition = request.position
    if (request.kind === 'message') (track.openWaits ??= new Set()).add(request.wait.position)
    const entry = { request, decisions, track }
    pending.set(request.position, entry)
    opened.push(entry)
  }

  function close(track: Track, position: string): void {
    if (track.openWaits?.delete(position) === true) closed.push(position)
    ready.push({ track, reply: undefined })
  }

  function fork(track: Track, request: ForkRequest): void {
    const tracks = request.branches.map((branch, index): Track => {
      return {
        walk: branch.walk,
        strand: branch.strand,
        parent: track,
        branchIndex: index,
        requestPosition: undefined,
        openWaits: undefined,
        fork: undefined,
        done: false,
      }
    })
    if (request.mode !== 'race') lanes += tracks.length
    if (lanes > EXECUTION_LANES_MAX)
      return failRunaway(`more than ${EXECUTION_LANES_MAX} branches and lanes would run at one time: lower the concurrency of nested loops`)
    track.fork = { mode: request.mode, tracks, outputs: new Map(), error: undefined, unfinished: tracks.length }
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
    parent.fork.outputs.set(track.branchIndex, output)
    parent.fork.unfinished -= 1
    if (parent.fork.mode !== 'all' || parent.fork.unfinished === 0) join(parent, parent.fork)
  }

  function fail(track: Track, error: unknown): void {
    if (error instanceof StepBudgetExceeded)
      return failRunaway(`its expressions and schemas took more than ${EXECUTION_STEPS_MAX} steps together`)
    endTrack(track)
    const { parent } = track
    const isFault = error instanceof WorkflowError
    if (parent?.fork === undefined) {
      if (!isFault) throw error
      machine.ending = { ok: false, error: error.data, decisions: takeDecisions(track.strand) }
      return
    }
    parent.fork.unfinished -= 1
    if (isFault) parent.fork.error ??= error
    if (isFault && parent.fork.mode === 'any' && parent.fork.unfinished > 0) return
    const thrown = error instanceof EndSignal || !isFault ? error : parent.fork.error
    abandonBranches(parent)
    ready.push({ track: parent, thrown })
  }

  function join(track: Track, { outputs }: Fork): void {
    const completed = [...outputs].toSorted(([first], [second]) => first - second).map(([index, output]) => ({ index, output }))
    abandonBranches(track)
    ready.push({ track, reply: { completed } satisfies BranchResults })
  }

  function abandonBranches(track: Track): void {
    for (const branch of track.fork?.tracks ?? []) {
      if (branch.done) continue
      endTrack(branch)
      if (branch.requestPosition !== undefined && pending.delete(branch.requestPosition)) abandoned.push(branch.requestPosition)
      if (branch.openWaits !== undefined) closed.push(...branch.openWaits)
      abandonBranches(branch)
    }
    track.fork = undefined
  }

  /** Faults the execution with an error that no task can catch, since the tasks themselves exceed a limit. */
  function failRunaway(detail: string): void {
    paused.length = 0
    ready.length = 0
    machine.paused = false
    abandonBranches(root)
    root.done = true
    machine.ending = { ok: false, error: standardError('runtime', detail, '/').data, decisions: takeDecisions(strand) }
  }

  function assertNotStalled(): void {
    if (machine.stall !== undefined) throw new Error('a stalled machine received an outcome or the end of a pause')
  }

  // Plain fields and no accessors: accessors would give every machine its own hidden class, which only a major garbage collection frees.
  const machine: MutableMachine = {
    execution,
    pending,
    ending: undefined,
    paused: false,
    pauses: 0,
    stall: undefined,
    continueAfterStall(outcome) {
      if (machine.stall === undefined) throw new Error('a machine that is not stalled was continued after a stall')
      machine.stall = undefined
      // At the front, as if it had not been interrupted.
      if (stalled !== undefined) ready.unshift({ track: stalled, reply: outcome })
      stalled = undefined
      run()
    },
    continueAfterPause() {
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
      if (entry === undefined) throw new Error(`an outcome arrived for ${position}, which has no pending request`)
      pending.delete(position)
      entry.track.requestPosition = undefined
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
  if (turn?.tryBegin() === false) machine.stall = { kind: 'turn' }
  else run()
  return machine
}

type MutableMachine = { -readonly [member in keyof Machine]: Machine[member] }

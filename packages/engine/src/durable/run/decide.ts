/** The facts from which `decide` chooses the next action of a run. */
export interface RunFacts {
  /**
   * `ending`: its last write is in the outbox or on its way. It becomes `over` with the commit, or `running` again when the write cannot be stored, to
   * fault instead. `over` is final.
   */
  readonly phase: 'running' | 'ending' | 'over'
  /** Whether the run begins nothing more because its process closes, or because the execution is to be suspended. */
  readonly shutdown: 'none' | 'release' | 'suspend'
  /** A forced release does not wait for outcomes that have arrived but are not recorded. */
  readonly isForced: boolean
  /** The machine has ended, or the execution must fault. */
  readonly isAtEnd: boolean
  readonly hasCommand: boolean
  readonly hasMove: boolean
  /** Moves wait for time in a later iteration of the event loop. */
  readonly waitsForTurn: boolean
  /**
   * Whether all strands of the machine stopped within pure work, because its turn is over or a thread computes a value for it; `arranged` once its
   * resumption is under way.
   */
  readonly stall: 'none' | 'new' | 'arranged'
  /** Whether strands of the machine paused between two tasks, so that inputs are applied meanwhile; `arranged` once they are going to proceed. */
  readonly pause: 'none' | 'new' | 'arranged'
  /** A request waits for a commit. */
  readonly hasGated: boolean
  /** A request waited for a commit that has taken place. */
  readonly hasOpenGate: boolean
  readonly hasUnwritten: boolean
  readonly isWriting: boolean
  readonly isPerforming: boolean
  /** The execution can be parked: no effects, and only long waits. */
  readonly isParkable: boolean
}

export type RunAction =
  /** Write the end of the execution. */
  | 'finish'
  /** Apply the next command. */
  | 'apply'
  /** Apply the next move. */
  | 'move'
  /** Arrange for the stalled machine to be resumed. */
  | 'resume'
  /** Arrange for the paused machine to proceed. */
  | 'proceed'
  /** Perform the requests whose gates are open. */
  | 'perform'
  | 'write'
  /** Write that the execution waits, and leave it to the database to wake it. */
  | 'park'
  /** Write that the execution is suspended, or that another process may claim it. */
  | 'hand-over'
  /** Nothing to do before the next input. */
  | 'wait'

/**
 * Decides what a run does next. Inputs are applied before a write, so that the write contains everything known; effects begin before a write,
 * so that they run while the write is under way. An end that is reached comes before a cancel, and parking before handing over, so that a release leaves
 * waiting executions asleep.
 */
export function decide(run: RunFacts): RunAction {
  if (run.phase === 'over') return 'wait'
  if (run.phase === 'running' && run.isAtEnd) return 'finish'
  if (run.hasCommand) return 'apply'
  if (run.phase === 'running') {
    if (run.stall === 'new') return 'resume'
    if (run.stall === 'none' && run.hasMove && !run.waitsForTurn) return 'move'
    if (run.pause === 'new') return 'proceed'
    if (run.hasOpenGate && run.shutdown === 'none') return 'perform'
  }
  if (run.isWriting) return 'wait'
  if (run.hasUnwritten) return 'write'
  if (run.phase === 'running') {
    if (mayPark(run)) return 'park'
    if (mayHandOver(run)) return 'hand-over'
  }
  return 'wait'
}

function mayPark(run: RunFacts): boolean {
  return run.isParkable && run.shutdown !== 'suspend' && run.pause === 'none' && run.stall === 'none' && !run.hasMove && !run.hasGated
}

/**
 * Does not wait for pure work, which the next run repeats: endless work could never be handed over. An outcome that waits for the machine is
 * journalled first, because its effect would be performed again otherwise.
 */
function mayHandOver(run: RunFacts): boolean {
  return run.shutdown !== 'none' && !run.isPerforming && (run.isForced || !run.hasMove)
}

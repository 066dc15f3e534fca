/** Every state that an execution can be in, with the states that may follow it. */
export const executionTransitions = {
  /** Accepted or put back, to be claimed. */
  pending: [
    'running',
    'suspended',
    // A dead letter: it crashed too many processes and is not claimed any more.
    'faulted',
  ],
  /** In the memory of a process. */
  running: ['pending', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled'],
  /** Parked until a time, a message, the end of a child, or a cancel. */
  waiting: ['running', 'suspended'],
  /** Parked by a person until it is resumed; a cancel has it claimed, so that its process can cancel its children. */
  suspended: ['pending', 'running'],
  completed: [],
  faulted: [],
  cancelled: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ExecutionState = keyof typeof executionTransitions

/** A state that no transition leaves. */
export type TerminalState = {
  [State in ExecutionState]: (typeof executionTransitions)[State] extends readonly [] ? State : never
}[ExecutionState]

/** A state in which an execution is in the memory of no process, until it is claimed. */
export type ParkedState = Exclude<ExecutionState, 'running' | TerminalState>

/** In the order of an execution's life. */
export const executionStates = [
  'pending',
  'running',
  'waiting',
  'suspended',
  'completed',
  'faulted',
  'cancelled',
] as const satisfies ExecutionState[]

/** The states in which an execution can be inserted: accepted for the queue, or started at once by the process that accepts it. */
export const initialStates: readonly ExecutionState[] = ['pending', 'running']

export const terminalStates: readonly ExecutionState[] = executionStates.filter(isTerminal)
export const unfinishedStates: readonly ExecutionState[] = executionStates.filter((state) => !isTerminal(state))
export const parkedStates: readonly ExecutionState[] = executionStates.filter(isParked)

/** Whether the execution has ended: its state, output and error never change again. */
export function isTerminal(state: ExecutionState): state is TerminalState {
  return executionTransitions[state].length === 0
}

export function isParked(state: ExecutionState): state is ParkedState {
  return state !== 'running' && !isTerminal(state)
}

export function mayFollow(from: ExecutionState, to: ExecutionState): boolean {
  const following: readonly ExecutionState[] = executionTransitions[from]
  return following.includes(to)
}

/** States as the right side of an SQL `in`: `('completed', 'faulted')`. They are our own literals, so nothing needs to be escaped. */
function sqlList(states: readonly ExecutionState[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`
}

/** For `state in …`. Written into statements as text, since PostgreSQL uses a partial index only where it sees the condition. */
export const terminalStatesSql = sqlList(terminalStates)
export const unfinishedStatesSql = sqlList(unfinishedStates)
export const parkedStatesSql = sqlList(parkedStates)

import { sql } from 'kysely'

/** Every state that an approval can be in, with the states that may follow it. */
export const approvalTransitions = {
  /** Approvers may decide. */
  open: ['approved', 'rejected', 'expired', 'closed'],
  approved: [],
  rejected: [],
  /** The deadline passed before a verdict. */
  expired: [],
  /** The workflow does not wait for it any more; there is no verdict. */
  closed: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ApprovalState = keyof typeof approvalTransitions
export type EndState = Exclude<ApprovalState, 'open'>
/** A state with a result for the waiting task. */
export type VerdictState = Exclude<EndState, 'closed'>

export const approvalStates = ['open', 'approved', 'rejected', 'expired', 'closed'] as const satisfies ApprovalState[]

export function mayFollow(from: ApprovalState, to: ApprovalState): boolean {
  const following: readonly ApprovalState[] = approvalTransitions[from]
  return following.includes(to)
}

/** Whether the waiting task gets a result, or has got it. */
export function hasVerdict(state: ApprovalState): state is VerdictState {
  return state !== 'open' && state !== 'closed'
}

/** Conditions on the column `state`. Literals, since PostgreSQL uses a partial index only where it sees its condition. */
export const isOpenSql = sql.raw<boolean>(`state = 'open'`)
/** The state after the wait has ended without a verdict; a terminal state stays. */
export const closedUnlessEndedSql = sql.raw<ApprovalState>(`case when state = 'open' then 'closed' else state end`)

/** An open approval that no execution waits for counts as closed: the processor is about to close it. */
export function stateOf({ state, isAwaited }: { readonly state: ApprovalState; readonly isAwaited: boolean }): ApprovalState {
  return state === 'open' && !isAwaited ? 'closed' : state
}

import type { ChangeKind, Scope } from '@millrace/contract'

/** A place in the changes of an account: those of earlier transactions, and of this one up to the id, were read. */
export interface ChangePosition {
  /** The id of a transaction. */
  readonly xid: bigint
  readonly id: bigint
}

/** A change as it was recorded, with ids as UUIDs. */
export interface Change {
  readonly position: ChangePosition
  readonly at: Date
  readonly kind: ChangeKind
  readonly data: Readonly<Record<string, string | number | null>>
}

/** The scope that a kind of change needs. */
export function scopeOfKind(kind: ChangeKind): Scope {
  switch (kind) {
    case 'execution.started':
    case 'execution.waiting':
    case 'execution.suspended':
    case 'execution.resumed':
    case 'execution.ended':
      return 'executions:read'
    case 'approval.opened':
    case 'approval.decided':
      return 'approvals:read'
    case 'trigger.paused':
      return 'triggers:read'
    case 'notification':
      return 'notifications:read'
    case 'workflow.published':
      return 'workflows:read'
  }
}

/** A change is readable for at least so long; afterwards a stream cannot continue from it. */
export const readableMs = 15 * 60_000

import { type AnyOperation, Fault, hasRole } from '@millrace/contract'
import type { Principal } from './principal.ts'

/** Refuses, with a Fault, what the caller's scopes or role do not allow. */
export function assertPermitted(op: AnyOperation, principal: Principal): void {
  if (op.auth === 'public') return
  if (!principal.scopes.has(op.auth.scope))
    throw new Fault('insufficient_scope', { detail: `The credential lacks the scope ${op.auth.scope} that this operation needs.` })
  if (op.role === undefined) return
  if (op.role === 'operator') {
    if (!principal.isOperator) throw new Fault('insufficient_role', { detail: 'Only an operator of the installation may do this.' })
  } else if (!hasRole(principal.role, op.role)) {
    throw new Fault('insufficient_role', { detail: `This needs the role ${op.role}; yours is ${principal.role}.` })
  }
}

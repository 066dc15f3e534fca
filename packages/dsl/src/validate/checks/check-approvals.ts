import type { Facts } from '#src/validate/facts.ts'
import { checkApprovalReads } from './check-approval-reads.ts'
import { checkVerdicts } from './check-verdicts.ts'

/** Warns of approvals whose verdict nothing reads, and of misspelled reads of their output. */
export function checkApprovals(facts: Facts): void {
  checkVerdicts(facts)
  checkApprovalReads(facts)
}

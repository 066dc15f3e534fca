import { Fault, type InvalidPart } from '@millrace/contract'
import { faultsWithin } from '@millrace/engine'
import type { Plan } from '#modules/approvals/approval-plan.ts'
import type { GivenDecision } from '#modules/approvals/model.ts'

const faultsMax = 50
/** Steps of validating one form: at most some tens of milliseconds, enough for hundreds of fields. The approval is locked meanwhile. */
const stepsMax = 100_000

/** Fault `answer_invalid` for a decision that lacks a required reason or does not fit the form. */
export function checkDecision({ reasonFor, form }: Pick<Plan, 'reasonFor' | 'form'>, { choice, reason, data }: GivenDecision): void {
  const faults: InvalidPart[] = []
  if (reasonFor.has(choice) && reason === undefined)
    faults.push({ pointer: '/reason', detail: choice === 'approve' ? 'An approval needs a reason.' : 'A rejection needs a reason.' })
  if (form === undefined && data !== undefined) faults.push({ pointer: '/data', detail: 'This approval has no form. Omit `data`.' })
  // A rejection need not fill in the form.
  if (form !== undefined && (choice === 'approve' || data !== undefined)) {
    if (data === undefined) faults.push({ pointer: '/data', detail: 'This approval has a form; see `form`.' })
    else
      for (const { pointer, detail } of faultsWithin(stepsMax, form, data).slice(0, faultsMax))
        faults.push({ pointer: `/data${pointer}`, detail })
  }
  if (faults.length > 0) throw new Fault('answer_invalid', { errors: faults })
}

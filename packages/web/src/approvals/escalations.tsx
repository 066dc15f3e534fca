import type { Approval } from '#src/approvals/approval.ts'
import { useApproverNames } from '#src/approvals/approver-names.ts'
import { stepsAhead } from '#src/approvals/steps-ahead.ts'
import { boot } from '#src/boot.ts'
import { rowTime } from '#src/values/format.ts'

// Few approvals have any: the texts of all pages load with every page.
const { escalations: w } = await (boot.locale === 'ar'
  ? import('#src/messages/ar/escalations.ts')
  : import('#src/messages/en/escalations.ts'))

/** Who is asked or gets a notice next, and when, while no one decides. */
export function Escalations({ approval }: { readonly approval: Approval }) {
  const namesOf = useApproverNames()
  return stepsAhead(approval, Date.now()).map(({ kind, at, whom }) => (
    <p key={`${kind} ${at}`}>{w[kind](rowTime(at), namesOf(whom).join(', '))}</p>
  ))
}

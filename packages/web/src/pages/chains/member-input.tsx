import { m } from '#src/messages/messages.ts'
import type { MemberDraft } from '#src/pages/chains/member.ts'
import { missingInput } from '#src/pages/chains/missing-input.ts'
import { useRequirements } from '#src/run-input/use-requirements.ts'

/** A warning about a member whose workflow requires input that it does not get. */
export function MemberInput({ member: { workflowId, mapping }, pointer }: { readonly member: MemberDraft; readonly pointer: string }) {
  const { schema } = useRequirements(workflowId)
  const missing = missingInput(schema, mapping, pointer.split('/')[2] === '0')
  if (missing === undefined) return null
  return (
    <p className="t13 c-wait" role="status">
      {m.chains.missing[missing.kind](missing.names.join(', '))}
    </p>
  )
}

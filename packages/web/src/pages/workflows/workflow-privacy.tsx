import { m } from '#src/messages/messages.ts'
import { WorkflowDecisions } from '#src/pages/trust/decisions.tsx'
import { Policies } from '#src/pages/trust/policies.tsx'

/** Which privacy policies apply to a workflow, and what they decided. */
export function WorkflowPrivacy({ id }: { readonly id: string }) {
  return (
    <div className="page">
      <Policies workflow={id} />
      <section className="band">
        <h2 className="t20">{m.privacy.decisions}</h2>
        <WorkflowDecisions workflowId={id} />
      </section>
    </div>
  )
}

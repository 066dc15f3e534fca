import { NeedsList, needsOf, type Requirements } from '#src/importing/needs-list.tsx'
import { m } from '#src/messages/messages.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'

interface StillNeedsProps {
  readonly workflow: { readonly id: string; readonly name: string }
  readonly requirements: Requirements
}

/** A new workflow, and what is missing before it can run. */
export function StillNeeds({ workflow, requirements }: StillNeedsProps) {
  const i = m.importing
  const missing = needsOf(requirements).filter((need) => need.missing)
  return (
    <section className="form" role="status">
      <p>
        <b className="b">{i.made(workflow.name)}</b> {missing.length > 0 && i.stillNeeds}
      </p>
      <NeedsList needs={missing} />
      <div className="row">
        <ButtonLink to={`/workflows/${workflow.id}`} look="primary">
          {i.open}
        </ButtonLink>
      </div>
    </section>
  )
}

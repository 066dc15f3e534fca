import { useWorkflowName } from '#src/api/workflow-names.ts'
import { shortId } from '#src/ui/id.tsx'

/** The name of a workflow of which the id is known; the end of the id for one that was deleted. */
export function WorkflowName({ id }: { readonly id: string }) {
  return <bdi>{useWorkflowName(id) ?? shortId(id)}</bdi>
}

import { freeNames, type Naming } from './free-names.ts'
import { documentNameOf } from './importing/from-template.ts'
import type { NewWorkflow, Workflow } from './model.ts'

interface DuplicateDeps extends Naming {
  /** The text of the draft with another document name. */
  readonly renamed: (documentName: string) => Promise<string>
}

/** A draft like that of a workflow, under a requested name or under its own with a number. */
export async function duplicateOf(workflow: Workflow, name: string | undefined, deps: DuplicateDeps): Promise<NewWorkflow> {
  const { namespace } = workflow
  const documentName = (name === undefined ? '' : documentNameOf(name)) || workflow.documentName
  const free = await freeNames({ name: name ?? workflow.name, documentName, namespace }, deps)
  return {
    definition: await deps.renamed(free.documentName),
    name: name ?? free.name,
    description: workflow.description,
    tags: workflow.tags,
    publish: false,
  }
}

import { freeNames, type TakenNames } from './free-names.ts'
import { documentNameOf } from './importing/from-template.ts'
import type { NewWorkflow, Workflow } from './model.ts'

interface DuplicateDeps {
  readonly takenNames: TakenNames
  /** The text of the draft with another document name. */
  readonly renamed: (documentName: string) => Promise<string>
  /** Free names that are left to other requests. */
  readonly skipped: number
}

const skippedMax = 64

/**
 * How many free names a request skips that has lost a name to others so many times. Each loss makes the choice wider, so that requests at once
 * get names after few attempts; one that loses none gets the lowest.
 */
export function skippedAfter(losses: number, chance: () => number): number {
  return losses === 0 ? 0 : Math.floor(chance() * Math.min(4 ** losses, skippedMax))
}

/** A draft like that of a workflow, under a requested name or under its own with a number. */
export async function duplicateOf(workflow: Workflow, name: string | undefined, deps: DuplicateDeps): Promise<NewWorkflow> {
  const { namespace } = workflow
  const documentName = (name === undefined ? '' : documentNameOf(name)) || workflow.documentName
  const free = await freeNames({ name: name ?? workflow.name, documentName, namespace }, deps.takenNames, deps.skipped)
  return {
    definition: await deps.renamed(free.documentName),
    name: name ?? free.name,
    description: workflow.description,
    tags: workflow.tags,
    publish: false,
  }
}

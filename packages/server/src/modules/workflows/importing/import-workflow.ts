import { toTypeId } from '#platform/ids.ts'
import type { Tx } from '#platform/http/index.ts'
import { definitionOf } from '#modules/workflows/definition.ts'
import type { NewWorkflow } from '#modules/workflows/model.ts'
import type { PreparedDefinition } from '#modules/workflows/prepared-change.ts'
import type { Workflows } from '#modules/workflows/service.ts'
import { requirementsView, workflowView } from '#modules/workflows/views.ts'
import { insertOrigin, type Origin } from './origin-store.ts'
import { permissionsOf, permissionsView } from './permissions.ts'

/** A workflow to be created, and where it comes from. */
export interface ImportedSource {
  readonly given: NewWorkflow
  readonly definition: PreparedDefinition
  readonly origin: Omit<Origin, 'workflowId' | 'importedAt'>
}

/** Creates a workflow with its origin, and describes it with its permissions and requirements. */
export async function importWorkflow(
  { service, now }: { readonly service: Workflows; readonly now: () => number },
  { tx, accountId, actor }: { readonly tx: Tx; readonly accountId: string; readonly actor: string },
  { given, definition, origin }: ImportedSource,
) {
  const workflow = await service.create(tx, accountId, given, definition, { actor })
  const recorded: Origin = { ...origin, workflowId: workflow.id, importedAt: new Date(now()) }
  await insertOrigin(tx, accountId, recorded, actor)
  const requirements = await service.requirements(tx, accountId, workflow.id)
  return {
    id: workflow.id,
    revision: workflow.revision,
    body: {
      workflow: workflowView(workflow, workflow.draft, await service.textOf(accountId, workflow), undefined, now()),
      origin: originView(recorded),
      permissions: permissionsView(permissionsOf(definitionOf(workflow.draft))),
      requirements: requirementsView(requirements),
    },
  }
}

function originView({ kind, source, version, checksum, importedAt }: Origin) {
  return {
    kind,
    source: kind === 'marketplace' ? toTypeId('mkt', source) : source,
    version,
    checksum,
    importedAt: importedAt.toISOString(),
  }
}

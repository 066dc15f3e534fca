import { Fault } from '@millrace/contract'
import { definitionOf, sha256 } from './definition.ts'
import type { Syntax } from './model.ts'
import { usesOf } from './requirements.ts'
import type { RequestedDefinition } from './service.ts'

/** What an import takes of an export. */
export interface Importable {
  readonly document: string
  readonly checksum?: string | undefined
}

/** A workflow as a document that another installation can import: its definition in canonical form, with what belongs to it. */
export function exportOf(
  { workflow, definition: kept, version }: RequestedDefinition,
  document: string,
  options: { readonly syntax: Syntax; readonly at: Date },
) {
  const definition = definitionOf(kept)
  const uses = usesOf(definition)
  return {
    format: 'millrace/workflow' as const,
    formatVersion: 1 as const,
    exportedAt: options.at.toISOString(),
    name: workflow.name,
    description: workflow.description ?? null,
    tags: [...workflow.tags],
    version: version ?? null,
    syntax: options.syntax,
    document,
    checksum: `sha256:${sha256(document)}`,
    requires: {
      secrets: [...uses.secrets.keys()],
      connections: [...uses.connections.keys()],
      workflows: [...uses.workflows.keys()],
      permissions: [...uses.permissions.keys()],
    },
  }
}

/** Refuses a document that is not the one which was exported. */
export function assertIntact({ document, checksum }: Importable): void {
  if (checksum === undefined || checksum === `sha256:${sha256(document)}`) return
  throw new Fault('import_invalid', {
    detail: 'The checksum does not fit the document: it was changed after the export. Remove `checksum` to import it as it is.',
  })
}

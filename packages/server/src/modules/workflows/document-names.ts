import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import { type Naming, skippedAfter } from './free-names.ts'
import type { WorkflowContent } from './model.ts'
import { documentNameIndex, findByDocumentName, findTakenNames } from './store.ts'

/** A Fault that names the workflow with this document name, so that a deployment can change that one. */
export async function assertFreeName(tx: Kysely<Rows>, accountId: string, content: WorkflowContent): Promise<void> {
  const taken = await findByDocumentName(tx, accountId, content)
  if (taken === undefined) return
  throw new Fault('workflow_name_taken', {
    detail: `The workflow ${toTypeId('wf', taken)} has the document name ${content.namespace}/${content.documentName}. Change that one with PUT ${workflowPath(taken)}, or change document.name or document.namespace.`,
    extensions: { workflowId: toTypeId('wf', taken) },
  })
}

export async function refusingTakenNames({ namespace, documentName }: WorkflowContent, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    if (!(cause instanceof Error && 'constraint' in cause && cause.constraint === documentNameIndex)) throw cause
    throw new Fault('workflow_name_taken', {
      detail: `Another workflow of the account has the document name ${namespace}/${documentName}. Change document.name or document.namespace, or delete the other one.`,
      cause,
    })
  }
}

/** The path of a workflow. */
export function workflowPath(id: string): string {
  return `/api/v1/workflows/${toTypeId('wf', id)}`
}

interface NamingDeps {
  readonly transaction: <R>(accountId: string, work: (tx: Tx) => Promise<R>) => Promise<R>
  readonly chance: () => number
}

/** How the names of new workflows are chosen. @param attempt of a request, from 1 on: each one before lost its name to another request. */
export function namingFor({ transaction, chance }: NamingDeps): (accountId: string, attempt: number) => Naming {
  return (accountId, attempt) => ({
    takenNames: (place) => transaction(accountId, (tx) => findTakenNames(tx, accountId, place)),
    skipped: skippedAfter(attempt - 1, chance),
  })
}

/** Whether a request is repeated, with the next free name: another one took the name first. */
export const losesName = ({ code }: Fault): boolean => code === 'workflow_name_taken'

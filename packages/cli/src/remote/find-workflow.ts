import type { Reply, workflows } from '@millrace/contract'
import type { Connection } from './connect.ts'

/** The names in a document by which a server finds its workflow. */
export interface DocumentName {
  readonly namespace: string
  readonly name: string
}

export type FoundWorkflow = Reply<typeof workflows.list>['data'][number]

/** The workflow of the account with this document name; undefined without one. */
export async function findWorkflow({ client }: Connection, { namespace, name }: DocumentName): Promise<FoundWorkflow | undefined> {
  const { data } = await client.workflows.list({ query: { document: `${namespace}/${name}`, limit: 1 } })
  return data[0]
}

import type { Reply, workflows } from '@millrace/contract'
import { exitCodes } from '#command/exit-code.ts'
import { Failure } from '#command/failure.ts'
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

/** The workflow with this id, or with this document as `namespace/name`. Throws a failure that says what is wrong with the text, or that it does not exist. */
export async function readWorkflow(connection: Connection, text: string): Promise<Reply<typeof workflows.get>> {
  const { client, url } = connection
  if (text.startsWith('wf_')) return client.workflows.get({ params: { id: text } })
  const [, namespace = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (name === '')
    throw new Failure(`"${text}" is no workflow.`, {
      hint: 'Write its document as NAMESPACE/NAME, or its id.',
      exitCode: exitCodes.usage,
    })
  const found = await findWorkflow(connection, { namespace, name })
  if (found === undefined) throw new Failure(`${url} has no workflow ${text}.`)
  return client.workflows.get({ params: { id: found.id } })
}

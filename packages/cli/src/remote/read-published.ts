import { exitCodes } from '#command/exit-code.ts'
import { Failure } from '#command/failure.ts'
import { connect } from './connect.ts'
import { explaining } from './explain.ts'
import { type DocumentName, findWorkflow } from './find-workflow.ts'

/** The text of the latest published definition with a document name. Its failures have exit code 2, since 1 means that definitions differ. */
export async function readPublished(document: DocumentName, givenUrl: string | undefined): Promise<string> {
  try {
    return await published(document, givenUrl)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { message, hint } = error
    throw new Failure(message, { ...(hint === undefined ? {} : { hint }), exitCode: exitCodes.usage, cause: error })
  }
}

async function published(document: DocumentName, givenUrl: string | undefined): Promise<string> {
  const connection = await connect(givenUrl)
  const name = `${document.namespace}/${document.name}`
  return explaining(connection.url, async () => {
    const found = await findWorkflow(connection, document)
    if (found === undefined || found.version === null)
      throw new Failure(`${connection.url} has no published workflow ${name}.`, { hint: '"millrace deploy" publishes it.' })
    const { definitionText } = await connection.client.workflows.get({ params: { id: found.id }, query: { version: found.version } })
    return definitionText
  })
}

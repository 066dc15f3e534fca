import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure } from '#command/failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { connect } from './connect.ts'
import { explaining } from './explain.ts'
import { readWorkflow } from './find-workflow.ts'
import { draftReason } from './plan-deploy.ts'

export interface RollbackRequest {
  /** Its id, or `namespace/name` of its document. */
  readonly workflow: string
  readonly url: string | undefined
  readonly to: string | undefined
  /** Whether a draft with unpublished changes is overwritten. */
  readonly replaceDraft: boolean
  readonly note: string | undefined
  readonly json: boolean
}

/** Publishes a version with the text of an earlier one. */
export async function rollback(request: RollbackRequest, { stdout }: Terminal): Promise<ExitCode> {
  const connection = await connect(request.url)
  const { client, url } = connection
  return explaining(url, async () => {
    const present = await readWorkflow(connection, request.workflow)
    const { id, version: latest, revision } = present
    if (latest === null) throw new Failure(`${request.workflow} has no published version.`)
    const to = versionOf(request, latest)
    if (present.hasUnpublishedChanges && !request.replaceDraft)
      throw new Failure(`Nothing was changed: ${draftReason(present, request.workflow)}.`, {
        hint: 'Publish the draft or save it elsewhere. --replace-draft overwrites it.',
      })
    const { source } = await client.workflows.get({ params: { id }, query: { version: to } })
    const body = { definition: source, publish: true, note: request.note ?? `Back to version ${to}` }
    const { version } = await client.workflows.update({ params: { id }, body }, { ifMatch: revision })
    const text = `version ${version} has the text of version ${to}${version === latest ? ' already' : ''}`
    stdout.write(request.json ? `${JSON.stringify({ id, version, from: latest, to })}\n` : `${request.workflow}: ${text}\n`)
    return exitCodes.ok
  })
}

function versionOf({ to, workflow }: RollbackRequest, latest: number): number {
  if (to === undefined && latest === 1) throw new Failure(`Version 1 of ${workflow} is its first, so that it has no earlier one.`)
  const version = to === undefined ? latest - 1 : /^[1-9]\d{0,8}$/.test(to) ? Number(to) : 0
  if (version < 1 || version >= latest)
    throw new Failure(`"${to}" is no version before the latest.`, {
      hint: `Write a number from 1 to ${latest - 1}.`,
      exitCode: exitCodes.usage,
    })
  return version
}

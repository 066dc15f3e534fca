import { ClientError } from '@millrace/client'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure } from '#command/failure.ts'
import { type CheckedDefinition, checkDefinition, isError } from '#definitions/check-definition.ts'
import { countText, formatDiagnostic } from '#definitions/format-diagnostic.ts'
import { readText } from '#definitions/read-text.ts'
import { startNote } from '#definitions/start-note.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { connect, type Connection } from './connect.ts'
import { explaining } from './explain.ts'

export interface DeployRequest {
  readonly files: readonly string[]
  readonly url: string | undefined
  readonly draft: boolean
  readonly note: string | undefined
  readonly json: boolean
}

interface Deployed {
  readonly file: string
  readonly id: string
  readonly action: 'created' | 'changed' | 'unchanged'
  readonly version: number | null
}

/** Checks all files, then creates or changes a workflow for each. */
export async function deploy(request: DeployRequest, terminal: Terminal): Promise<ExitCode> {
  const texts = await Promise.all(request.files.map((file) => readText(file, terminal.stdin, 'a definition')))
  const checked = request.files.map((file, index) => checkDefinition(file, texts[index] ?? ''))
  refuseErrors(checked, terminal)
  const connection = await connect(request.url)
  for (const [index, file] of request.files.entries()) {
    // One by one: a definition may call a workflow that an earlier file defines.
    const deployed = await explaining(connection.url, () => deployOne(connection, file, texts[index] ?? '', request))
    const note = request.draft ? '' : startNote(checked[index]?.definition, terminal.now())
    terminal.stdout.write(request.json ? `${JSON.stringify(deployed)}\n` : `${line(deployed)}${note}`)
  }
  return exitCodes.ok
}

function refuseErrors(checked: readonly CheckedDefinition[], { stderr }: Terminal): void {
  const paint = createPaint(stderr)
  for (const one of checked) for (const diagnostic of one.diagnostics) stderr.write(`${formatDiagnostic(one, diagnostic, paint)}\n\n`)
  const errors = checked.flatMap(({ diagnostics }) => diagnostics).filter(isError)
  if (errors.length > 0) throw new Failure(`Nothing was deployed: ${countText(errors)}.`)
}

async function deployOne({ client }: Connection, file: string, definition: string, { draft, note }: DeployRequest): Promise<Deployed> {
  const publish = !draft
  try {
    const made = await client.workflows.create({ body: { definition, publish } })
    return { file, id: made.id, action: 'created', version: made.version }
  } catch (error) {
    const id = error instanceof ClientError && error.code === 'workflow_name_taken' ? error.problem['workflowId'] : undefined
    if (typeof id !== 'string') throw error
    const before = await client.workflows.get({ params: { id } })
    const after = await client.workflows.update(
      { params: { id }, body: { definition, publish, ...(note === undefined ? {} : { note }) } },
      { ifMatch: before.revision },
    )
    return { file, id, action: after.revision === before.revision ? 'unchanged' : 'changed', version: after.version }
  }
}

function line({ file, id, action, version }: Deployed): string {
  return `${file}: ${action} ${id}${version === null ? ', a draft' : `, version ${version}`}\n`
}

import { ClientError } from '@millrace/client'
import type { Reply, workflows } from '@millrace/contract'
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

type Answer = Pick<Reply<typeof workflows.create>, 'id' | 'version' | 'warnings'>
type Warnings = Answer['warnings']

/** Checks all files, then creates or changes a workflow for each. */
export async function deploy(request: DeployRequest, terminal: Terminal): Promise<ExitCode> {
  const texts = await Promise.all(request.files.map((file) => readText(file, terminal.stdin, 'a definition')))
  const checked = request.files.map((file, index) => checkDefinition(file, texts[index] ?? ''))
  refuseErrors(checked, terminal)
  const connection = await connect(request.url)
  for (const [index, one] of checked.entries()) {
    // One by one: a definition may call a workflow that an earlier file defines.
    const { deployed, warnings } = await explaining(connection.url, () => deployOne(connection, one.file, texts[index] ?? '', request))
    const note = request.draft ? '' : startNote(one.definition, terminal.now())
    terminal.stdout.write(request.json ? `${JSON.stringify(deployed)}\n` : `${line(deployed)}${note}`)
    warnOfServer(one, warnings, terminal)
  }
  return exitCodes.ok
}

function refuseErrors(checked: readonly CheckedDefinition[], { stderr }: Terminal): void {
  const paint = createPaint(stderr)
  for (const one of checked) for (const diagnostic of one.diagnostics) stderr.write(`${formatDiagnostic(one, diagnostic, paint)}\n\n`)
  const errors = checked.flatMap(({ diagnostics }) => diagnostics).filter(isError)
  if (errors.length > 0) throw new Failure(`Nothing was deployed: ${countText(errors)}.`)
}

/** Prints what only the server knows, such as variables that the account does not have. */
function warnOfServer(checked: CheckedDefinition, warnings: Warnings, { stderr }: Terminal): void {
  const paint = createPaint(stderr)
  const printed = new Set(checked.diagnostics.map(({ code, pointer }) => `${code} ${pointer}`))
  for (const warning of warnings.filter(({ code, pointer }) => !printed.has(`${code} ${pointer}`)))
    stderr.write(`${formatDiagnostic(checked, warning, paint)}\n\n`)
}

async function deployOne({ client }: Connection, file: string, definition: string, { draft, note }: DeployRequest) {
  const publish = !draft
  try {
    const made = await client.workflows.create({ body: { definition, publish } })
    return answerOf(file, 'created', made)
  } catch (error) {
    const id = error instanceof ClientError && error.code === 'workflow_name_taken' ? error.problem['workflowId'] : undefined
    if (typeof id !== 'string') throw error
    const before = await client.workflows.get({ params: { id } })
    const after = await client.workflows.update(
      { params: { id }, body: { definition, publish, ...(note === undefined ? {} : { note }) } },
      { ifMatch: before.revision },
    )
    return answerOf(file, after.revision === before.revision ? 'unchanged' : 'changed', after)
  }
}

function answerOf(file: string, action: Deployed['action'], { id, version, warnings }: Answer) {
  const deployed: Deployed = { file, id, action, version }
  return { deployed, warnings }
}

function line({ file, id, action, version }: Deployed): string {
  return `${file}: ${action} ${id}${version === null ? ', a draft' : `, version ${version}`}\n`
}

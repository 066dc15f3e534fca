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
import { findWorkflow } from './find-workflow.ts'
import { type Plan, planDeploy, type PresentWorkflow, sameNames } from './plan-deploy.ts'

export interface DeployRequest {
  readonly files: readonly string[]
  readonly url: string | undefined
  readonly draft: boolean
  /** Whether drafts with unpublished changes of others are overwritten. */
  readonly replaceDraft: boolean
  /** Whether nothing is sent that changes anything. */
  readonly dryRun: boolean
  readonly note: string | undefined
  readonly json: boolean
}

interface Deployed {
  readonly file: string
  readonly id: string
  readonly action: 'created' | 'changed' | 'unchanged'
  readonly version: number | null
}

/** A file that was checked, with what its deployment does. */
interface Planned {
  readonly checked: CheckedDefinition
  readonly text: string
  readonly present: PresentWorkflow | undefined
  readonly plan: Plan
}

type Warnings = Reply<typeof workflows.create>['warnings']

/** Checks all files and reads the workflows that they change, then creates or changes a workflow for each; or only says what it would do. */
export async function deploy(request: DeployRequest, terminal: Terminal): Promise<ExitCode> {
  const files = await readFiles(request, terminal)
  if (!request.dryRun) refuseAll(files.flatMap(({ checked, refusal }) => (refusal === undefined ? [] : [`${checked.file}: ${refusal}`])))
  const connection = await connect(request.url)
  const planned: Planned[] = []
  for (const file of files) planned.push(await explaining(connection.url, () => planOne(connection, file, request)))
  if (request.dryRun) return printPlan(planned, request, terminal)
  refuseAll(
    planned.flatMap(({ checked, plan }) => (plan.action === 'refused' ? [`${checked.file}: ${plan.reason}`] : [])),
    'Publish the draft, or take its changes into the file. --replace-draft overwrites them.',
  )
  for (const one of planned) {
    // One by one: a definition may call a workflow that an earlier file defines.
    const { deployed, warnings } = await explaining(connection.url, () => deployOne(connection, one, request))
    const note = request.draft ? '' : startNote(one.checked.definition, terminal.now())
    terminal.stdout.write(request.json ? `${JSON.stringify(deployed)}\n` : `${line(deployed)}${note}`)
    warnOfServer(one.checked, warnings, terminal)
  }
  return exitCodes.ok
}

interface CheckedFile {
  readonly checked: CheckedDefinition
  readonly text: string
  /** Why it cannot be deployed, whatever the server has. */
  readonly refusal: string | undefined
}

/** Reads and checks all files, and prints what is wrong with them. */
async function readFiles({ files }: DeployRequest, { stdin, stderr }: Terminal): Promise<readonly CheckedFile[]> {
  const texts = await Promise.all(files.map((file) => readText(file, stdin, 'a definition')))
  const checked = files.map((file, index) => checkDefinition(file, texts[index] ?? ''))
  const paint = createPaint(stderr)
  for (const one of checked) for (const diagnostic of one.diagnostics) stderr.write(`${formatDiagnostic(one, diagnostic, paint)}\n\n`)
  const same = sameNames(checked)
  return checked.map((one, index) => {
    const errors = one.diagnostics.filter(isError)
    const other = same.find((found) => found.index === index || found.first === index)
    const otherFile = files[other?.index === index ? other.first : (other?.index ?? 0)] ?? ''
    const named = other && `it has the document name ${other.name}, as ${otherFile} has. Deploy one of them, or change a name`
    return { checked: one, text: texts[index] ?? '', refusal: errors.length > 0 ? countText(errors) : named }
  })
}

function refuseAll(reasons: readonly string[], hint?: string): void {
  if (reasons.length === 0) return
  const message = `Nothing was deployed: ${reasons.length === 1 ? `${reasons[0]}.` : reasons.map((reason) => `\n  ${reason}.`).join('')}`
  throw new Failure(message, hint === undefined ? {} : { hint })
}

async function planOne(connection: Connection, { checked, text, refusal }: CheckedFile, request: DeployRequest): Promise<Planned> {
  const { definition } = checked
  if (definition === undefined || refusal !== undefined)
    return { checked, text, present: undefined, plan: { action: 'refused', reason: refusal ?? 'it is not valid' } }
  const found = await findWorkflow(connection, definition.document)
  const present = found && (await connection.client.workflows.get({ params: { id: found.id } }))
  return { checked, text, present, plan: planDeploy({ text, definition, present }, request) }
}

function printPlan(planned: readonly Planned[], { json }: DeployRequest, { stdout }: Terminal): ExitCode {
  for (const { checked, present, plan } of planned) {
    const { file } = checked
    const shown = { file, id: present?.id ?? null, version: present?.version ?? null, ...plan }
    stdout.write(json ? `${JSON.stringify(shown)}\n` : `${file}: ${plannedText(plan, present)}\n`)
  }
  return planned.some(({ plan }) => plan.action === 'refused') ? exitCodes.failed : exitCodes.ok
}

function plannedText(plan: Plan, present: PresentWorkflow | undefined): string {
  if (plan.action === 'refused') return `would be refused: ${plan.reason}.`
  if (present === undefined) return 'would be created'
  const text = plan.action === 'changed' ? 'would be changed' : 'would stay unchanged'
  return `${text} ${present.id}${versionText(present.version)}`
}

/** Prints what only the server knows, such as variables that the account does not have. */
function warnOfServer(checked: CheckedDefinition, warnings: Warnings, { stderr }: Terminal): void {
  const paint = createPaint(stderr)
  const printed = new Set(checked.diagnostics.map(({ code, pointer }) => `${code} ${pointer}`))
  for (const warning of warnings.filter(({ code, pointer }) => !printed.has(`${code} ${pointer}`)))
    stderr.write(`${formatDiagnostic(checked, warning, paint)}\n\n`)
}

/** A workflow that was changed or made since it was read is refused by the server. */
async function deployOne(
  { client }: Connection,
  { checked: { file }, text, present }: Planned,
  { draft, note }: DeployRequest,
): Promise<{ readonly deployed: Deployed; readonly warnings: Warnings }> {
  const body = { definition: text, publish: !draft, ...(note === undefined ? {} : { note }) }
  if (present === undefined) {
    const { id, version, warnings } = await client.workflows.create({ body })
    return { deployed: { file, id, action: 'created', version }, warnings }
  }
  const { id, revision, version, warnings } = await client.workflows.update(
    { params: { id: present.id }, body },
    { ifMatch: present.revision },
  )
  return { deployed: { file, id, action: revision === present.revision ? 'unchanged' : 'changed', version }, warnings }
}

function line({ file, id, action, version }: Deployed): string {
  return `${file}: ${action} ${id}${versionText(version)}\n`
}

function versionText(version: number | null): string {
  return version === null ? ', a draft' : `, version ${version}`
}

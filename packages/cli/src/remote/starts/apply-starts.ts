import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure } from '#command/failure.ts'
import type { JsonObject } from '@millrace/engine'
import { readText } from '#definitions/read-text.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { readSecrets } from '#run/read-secrets.ts'
import { connect, type Connection } from '#remote/connect.ts'
import { explaining } from '#remote/explain.ts'
import { readWorkflow } from '#remote/find-workflow.ts'
import { checkStarts, readStarts, type StartsFile, type WantedStart } from './read-starts.ts'
import { contentOf, isSameContent, type PresentStart, presentStarts, withoutEmpty } from './start-text.ts'
import { withIds } from './workflow-names.ts'

export interface ApplyRequest {
  readonly files: readonly string[]
  readonly url: string | undefined
  /** Whether starts that the file does not name are deleted. */
  readonly prune: boolean
  /** Secrets of webhooks, as `name=value`. */
  readonly secrets: readonly string[]
  readonly secretsFile: string | undefined
  /** Whether nothing is sent that changes anything. */
  readonly dryRun: boolean
  readonly json: boolean
}

type Step =
  | { readonly action: 'created'; readonly wanted: WantedStart; readonly secret: string | undefined }
  | { readonly action: 'changed'; readonly present: PresentStart; readonly wanted: WantedStart; readonly secret: string | undefined }
  | { readonly action: 'unchanged' | 'deleted'; readonly present: PresentStart }

interface Planned {
  readonly file: StartsFile
  readonly workflowId: string
  readonly steps: readonly Step[]
}

/** What became of a start. */
interface Applied {
  readonly id: string | null
  readonly url: string | null
  /** That was generated, and is shown once. */
  readonly secret: string | null
}

/** Makes the starts of workflows what their files say: all files are read and checked, then the differences are sent. */
export async function applyStarts(request: ApplyRequest, { stdin, stdout }: Terminal): Promise<ExitCode> {
  const files: StartsFile[] = []
  for (const file of request.files) files.push(readStarts(file, await readText(file, stdin, 'a list of starts')))
  const secrets = await readSecrets(request, stdin)
  const connection = await connect(request.url)
  const planned: Planned[] = []
  for (const file of files) planned.push(await explaining(connection.url, () => plan(connection, file, request, secrets)))
  refuseTwice(planned)
  for (const { file, workflowId, steps } of planned)
    for (const step of steps) {
      const applied = request.dryRun
        ? { id: idOf(step), url: null, secret: null }
        : await explaining(connection.url, () => apply(connection, workflowId, step))
      stdout.write(textOf(file, step, applied, request))
    }
  return exitCodes.ok
}

function refuseTwice(planned: readonly Planned[]): void {
  const seen = new Map<string, string>()
  for (const { file, workflowId } of planned) {
    const first = seen.get(workflowId)
    if (first !== undefined) throw new Failure(`Nothing was changed: ${first} and ${file.file} are both of the workflow ${file.workflow}.`)
    seen.set(workflowId, file.file)
  }
}

async function plan(connection: Connection, file: StartsFile, { prune }: ApplyRequest, secrets: JsonObject): Promise<Planned> {
  const { id: workflowId } = await readWorkflow(connection, file.workflow)
  const wanted = checkStarts({ ...file, starts: await withIds(connection, file.starts) })
  const present = await presentStarts(connection, workflowId)
  const kept = wanted.map((one) => stepOf(file, one, present, secrets))
  const names = new Set(wanted.map(({ content }) => content.name))
  const others = prune ? present.filter(({ name }) => !names.has(name)) : []
  return { file, workflowId, steps: [...kept, ...others.map((one): Step => ({ action: 'deleted', present: one }))] }
}

function stepOf({ file }: StartsFile, wanted: WantedStart, all: readonly PresentStart[], secrets: JsonObject): Step {
  const { name, kind } = wanted.content
  const refuse = (reason: string, hint?: string): never => {
    throw new Failure(`Nothing was changed: ${file}: the start "${name}" ${reason}.`, hint === undefined ? {} : { hint })
  }
  const [present, ...others] = all.filter((one) => one.name === name)
  if (others.length > 0) return refuse('has the name of several starts of the workflow', 'Give each of them a name of its own.')
  const { secretFrom } = wanted
  const secret = secretFrom === undefined ? undefined : secrets[secretFrom]
  if (secret !== undefined && typeof secret !== 'string') return refuse(`has the secret ${secretFrom}, which is no text`)
  if (present === undefined) {
    if (secretFrom !== undefined && secret === undefined)
      return refuse(`needs the secret ${secretFrom}`, `Give it by --secret ${secretFrom}=VALUE or in a file with --secrets-file FILE.`)
    return { action: 'created', wanted, secret }
  }
  if (present.kind !== kind) return refuse(`is of the kind ${present.kind} on the server`, 'Delete that one, or choose another name.')
  const isSame =
    isSameContent(contentOf(present), withoutEmpty(wanted.content)) && !(wanted.saysEnabled && present.enabled !== wanted.content.enabled)
  if (isSame && secret === undefined) return { action: 'unchanged', present }
  return { action: 'changed', present, wanted, secret }
}

async function apply({ client }: Connection, workflowId: string, step: Step): Promise<Applied> {
  switch (step.action) {
    case 'unchanged':
      return { id: step.present.id, url: step.present.webhook?.url ?? null, secret: null }
    case 'deleted':
      await client.triggers.delete({ params: { id: step.present.id } }, { ifMatch: step.present.revision })
      return { id: step.present.id, url: null, secret: null }
    case 'created': {
      const { id, webhook, secret } = await client.triggers.create({ body: { ...withSecret(step), workflowId } })
      return { id, url: webhook?.url ?? null, secret }
    }
    case 'changed': {
      const { kind: _kind, enabled, input = null, mapping = null, filter = null, ...content } = withSecret(step)
      const params = { id: step.present.id }
      const changed = await client.triggers.update(
        { params, body: { ...content, input, mapping, filter } },
        { ifMatch: step.present.revision },
      )
      if (step.wanted.saysEnabled && changed.enabled !== enabled)
        await client.triggers.toggle({ params, body: { enabled } }, { ifMatch: changed.revision })
      return { id: changed.id, url: changed.webhook?.url ?? null, secret: changed.secret }
    }
  }
}

function withSecret({
  wanted: { content },
  secret,
}: Pick<Extract<Step, { readonly action: 'created' }>, 'wanted' | 'secret'>): WantedStart['content'] {
  const { webhook } = content
  if (secret === undefined || webhook === undefined) return content
  return { ...content, webhook: { ...webhook, signature: { ...webhook.signature, secret } } }
}

function idOf(step: Step): string | null {
  return 'present' in step ? step.present.id : null
}

function textOf({ file, workflow }: StartsFile, step: Step, applied: Applied, { dryRun, json }: ApplyRequest): string {
  const name = 'wanted' in step ? step.wanted.content.name : step.present.name
  if (json) return `${JSON.stringify({ file, workflow, name, action: step.action, ...applied })}\n`
  const verb = dryRun ? (step.action === 'unchanged' ? 'would stay unchanged' : `would be ${step.action}`) : step.action
  const url = step.action === 'created' && applied.url !== null ? `  URL     ${applied.url}\n` : ''
  const secret = applied.secret === null ? '' : `  Secret  ${applied.secret} (shown only now)\n`
  return `${file}: ${name}: ${verb}${applied.id === null ? '' : ` ${applied.id}`}\n${url}${secret}`
}

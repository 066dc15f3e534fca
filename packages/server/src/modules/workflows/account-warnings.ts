import { type Definition, eachTask, suggest } from '@millrace/dsl'
import type { JsonObject } from '@millrace/engine'
import type { SecretScope } from '#platform/secrets/secret-store.ts'
import { connectionGiven, functionNameOf, modelIn } from './agent-tools.ts'
import type { ReadDefinition } from './definition.ts'
import type { DefinitionReader, FoundHere } from './definition-reader.ts'
import { type RequirementsDeps, type Uses, usesOf } from './requirements.ts'

export interface AccountWarningDeps extends Pick<RequirementsDeps, 'secretNames' | 'variableNames' | 'hasTextModel'> {
  readonly reader: Pick<DefinitionReader, 'warningsAt'>
  /** What is doubtful about an approval with these arguments; pointers are inside of them. */
  readonly approvalFindings: (accountId: string, args: JsonObject) => Promise<readonly FoundHere[]>
  /** The subset of the names that connections of the account have. */
  readonly connectionsNamed: (accountId: string, names: readonly string[]) => Promise<ReadonlySet<string>>
  /** The names of the connections of the account. */
  readonly connectionsOf: (accountId: string) => Promise<readonly string[]>
  /** The names of the tables of the account. */
  readonly tablesOf: (accountId: string) => Promise<readonly string[]>
  /** Why no workflow may reach a host, if that is certain without looking its name up. */
  readonly refusalOf: (hostname: string) => Error | undefined
  /** Whether the installation has an SMTP server. */
  readonly sendsMail: boolean
}

/**
 * Adds a warning for each approval that no person or perhaps the wrong one can decide, each connection, table and variable that the account does not have, each mail that the
 * installation does not send, each address that it lets no workflow reach, and each question to a model without one. People may join, and the others may be added later, so that they are no errors.
 * @param scope of the executions that will read the variables.
 */
export async function withAccountWarnings(
  deps: AccountWarningDeps,
  accountId: string,
  read: ReadDefinition,
  scope: SecretScope,
): Promise<ReadDefinition> {
  const { definition } = read
  const uses = usesOf(definition)
  const found = [
    ...(await approvalsFound(deps, accountId, definition)),
    ...(await connectionsFound(deps, accountId, uses)),
    ...(await tablesFound(deps, accountId, uses)),
    ...(await variablesFound(deps, accountId, uses, scope)),
    ...(await modelsFound(deps, accountId, definition)),
    ...(deps.sendsMail ? [] : mailsFound(definition)),
    ...addressesFound(deps, definition),
  ]
  if (found.length === 0) return read
  const warnings = [...read.stored.warnings, ...(await deps.reader.warningsAt(accountId, read, found))]
  return { ...read, stored: { ...read.stored, warnings } }
}

async function approvalsFound({ approvalFindings }: AccountWarningDeps, accountId: string, definition: Definition): Promise<FoundHere[]> {
  const found: FoundHere[] = []
  for (const { args, pointer } of approvalsOf(definition))
    found.push(...(await approvalFindings(accountId, args)).map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })))
  return found
}

async function connectionsFound(
  { connectionsNamed, connectionsOf }: AccountWarningDeps,
  accountId: string,
  { connections }: Uses,
): Promise<FoundHere[]> {
  if (connections.size === 0) return []
  const present = await connectionsNamed(accountId, [...connections.keys()])
  const missing = [...connections].filter(([name]) => !present.has(name))
  if (missing.length === 0) return []
  const known = await connectionsOf(accountId)
  return missing.map(([name, pointer]) => {
    const message = `The account has no connection with the name ${JSON.stringify(name)}.`
    const close = suggest(name, known)
    const adding = 'dd it before the workflow runs: POST /api/v1/connections.'
    const hint = close === undefined ? `A${adding}` : `Did you mean ${JSON.stringify(close)}? Otherwise a${adding}`
    return { code: 'missing_connection', message, pointer, hint }
  })
}

/** A table that the definition only reads is one that a person or another workflow has made. */
async function tablesFound({ tablesOf }: AccountWarningDeps, accountId: string, { tables, writtenTables }: Uses): Promise<FoundHere[]> {
  const read = [...tables].filter(([name]) => !writtenTables.has(name))
  const known = read.length === 0 ? [] : await tablesOf(accountId)
  return read
    .filter(([name]) => !known.includes(name))
    .map(([name, pointer]) => {
      const close = suggest(name, known)
      const otherwise = 'until a row is written to it, this step finds nothing.'
      const hint = close === undefined ? `U${otherwise.slice(1)}` : `Did you mean ${JSON.stringify(close)}? Otherwise, ${otherwise}`
      return { code: 'missing_table', message: `The account has no table ${JSON.stringify(name)}.`, pointer, hint }
    })
}

async function variablesFound(
  { variableNames, secretNames }: AccountWarningDeps,
  accountId: string,
  { variables }: Uses,
  scope: SecretScope,
): Promise<FoundHere[]> {
  const known = variables.size === 0 ? new Set<string>() : await variableNames(accountId, scope)
  const missing = [...variables].filter(([name]) => !known.has(name))
  if (missing.length === 0) return []
  const secrets = await secretNames(accountId, scope)
  const ofTests = await variableNames(accountId, { ...scope, environment: 'draft' })
  return missing.map(([name, pointer]) => {
    const message = ofTests.has(name)
      ? `The variable ${JSON.stringify(name)} has a value for tests only, so that every other execution fails.`
      : `There is no variable ${JSON.stringify(name)} in this account, so that every execution fails.`
    return { code: 'missing_variable', message, pointer, hint: variableHint(name, known, secrets) }
  })
}

function variableHint(name: string, variables: ReadonlySet<string>, secrets: ReadonlySet<string>): string {
  if (secrets.has(name)) return `It is a secret: list ${name} in use.secrets, and write $secrets.${name}.`
  const close = suggest(name, variables)
  const creating = `on the page Variables or with "millrace variables ${name}=VALUE"`
  return close === undefined ? `Create it ${creating}.` : `Did you mean $variables.${close}? Otherwise create it ${creating}.`
}

async function modelsFound({ hasTextModel }: AccountWarningDeps, accountId: string, definition: Definition): Promise<FoundHere[]> {
  const asking = [...calls(definition)].filter(({ call, args }) => modelIn(call, args) !== undefined)
  if (asking.length === 0 || (await hasTextModel(accountId))) return []
  const message = 'No model can be asked here, so that this step fails.'
  return asking.map(({ pointer }) => ({ code: 'missing_model', message, pointer: `${pointer}/call`, hint: modelHint }))
}

const modelHint =
  'An administrator of the account adds a model on the page Models or with POST /api/v1/models, or the operator of the installation sets MILLRACE_MODEL_URL and MILLRACE_MODEL_NAME.'

const mailHint =
  'The operator of the installation sets MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM, or the step names a connection for SMTP as `connection`.'

function mailsFound(definition: Definition): FoundHere[] {
  const message = 'This installation sends no mail, so that this step fails.'
  return [...calls(definition)]
    .filter(({ call, args }) => functionNameOf(call) === 'email' && !connectionGiven(args))
    .map(({ pointer }) => ({ code: 'missing_mail', message, pointer: `${pointer}/call`, hint: mailHint }))
}

function addressesFound({ refusalOf }: AccountWarningDeps, definition: Definition): FoundHere[] {
  return [...eachTask(definition)].flatMap(({ kind, task, pointer }) => {
    if (kind !== 'call' || task.call !== 'http') return []
    const endpoint = task.with?.['endpoint']
    const uri: unknown = typeof endpoint === 'object' && endpoint !== null ? Reflect.get(endpoint, 'uri') : endpoint
    const host = typeof uri === 'string' ? hostOf(uri) : undefined
    if (host === undefined || refusalOf(host) === undefined) return []
    const message = `${host} is an address that workflows may not reach, so that this step fails.`
    return [{ code: 'refused_address', message, pointer: `${pointer}/with/endpoint`, hint: addressHint }]
  })
}

const addressHint = 'The operator of the installation allows its network with MILLRACE_PRIVATE_NETWORK, such as 10.0.0.0/8 or 127.0.0.1/32.'

/** The host of a URL that is no expression, whatever its path; undefined for what begins otherwise. */
function hostOf(uri: string): string | undefined {
  const [, authority] = /^https?:\/\/([^/?#{$\s]+)(?:[/?#{]|$)/i.exec(uri) ?? []
  return authority === undefined ? undefined : (URL.parse(`http://${authority}`)?.hostname ?? undefined)
}

/** The calls of functions that the definition does not define itself. */
function* calls(definition: Definition) {
  for (const { kind, task, pointer } of eachTask(definition))
    if (kind === 'call' && !Object.hasOwn(definition.use?.functions ?? {}, task.call)) yield { call: task.call, args: task.with, pointer }
}

/** The approvals of a definition with their arguments. */
export function approvalsOf(definition: Definition): readonly { readonly args: JsonObject; readonly pointer: string }[] {
  return [...eachTask(definition)].flatMap(({ kind, task, pointer }) => {
    if (kind !== 'call' || task.call !== 'approve') return []
    return [{ args: task.with ?? {}, pointer: `${pointer}/with` }]
  })
}

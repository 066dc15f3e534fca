import { every } from '@millrace/client'
import { type Reply, variableEnvironments, type variables } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, usageFailure } from '#command/failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { readSecret } from './ask.ts'
import { columns } from './columns.ts'
import { connect, type Connection } from './connect.ts'
import { explaining } from './explain.ts'

export interface VariablesRequest {
  readonly url: string | undefined
  /** `NAME=VALUE` each. */
  readonly pairs: readonly string[]
  /** The name of a secret whose value is read. */
  readonly secret: string | undefined
  readonly deleted: readonly string[]
  readonly environment: string | undefined
  readonly json: boolean
}

type Environment = (typeof variableEnvironments)[number]
type Variable = Reply<typeof variables.list>['data'][number]
type Setting = Pick<Variable, 'name' | 'kind'> & { readonly value: Json }

/** Lists the variables of the account, or creates, changes and deletes some and prints those that were changed. */
export async function changeVariables(request: VariablesRequest, terminal: Terminal): Promise<ExitCode> {
  const environment = environmentOf(request.environment)
  const pairs = request.pairs.map(settingOf)
  const connection = await connect(request.url)
  const secret = request.secret
  const settings: readonly Setting[] =
    secret === undefined
      ? pairs
      : [...pairs, { name: secret, kind: 'secret', value: await readSecret(terminal, `Value of the secret ${secret}`) }]
  const shown = await explaining(connection.url, async () => {
    const present = await ofAccount(connection, request.environment === undefined ? undefined : environment)
    if (settings.length === 0 && request.deleted.length === 0) return present
    const changed: Variable[] = []
    for (const setting of settings) changed.push(await set(connection, setting, environment, present))
    for (const name of request.deleted) await remove(connection, name, environment, present)
    return changed
  })
  terminal.stdout.write(request.json ? shown.map((one) => `${JSON.stringify(one)}\n`).join('') : columns(shown.map(row)))
  for (const name of request.deleted) terminal.stderr.write(`${name}: deleted\n`)
  return exitCodes.ok
}

function row({ name, kind, environment, value, masked }: Variable): readonly string[] {
  return [name, kind, environment, masked ? '(hidden)' : JSON.stringify(value)]
}

async function ofAccount({ client }: Connection, environment: Environment | undefined): Promise<readonly Variable[]> {
  const all: Variable[] = []
  for await (const variable of every((cursor) => client.variables.list({ query: { cursor, limit: 100, scope: 'account', environment } })))
    all.push(variable)
  return all
}

async function set({ client }: Connection, { name, kind, value }: Setting, environment: Environment, present: readonly Variable[]) {
  const before = named(present, name, environment)
  if (before === undefined) return client.variables.create({ body: { name, kind, value, environment } })
  if (before.kind === 'secret' && kind !== 'secret')
    throw new Failure(`${name} is a secret.`, { hint: `Change its value by "millrace variables --secret ${name}".` })
  return client.variables.update({ params: { id: before.id }, body: { kind, value } }, { ifMatch: before.revision })
}

async function remove({ client }: Connection, name: string, environment: Environment, present: readonly Variable[]): Promise<void> {
  const before = named(present, name, environment)
  if (before === undefined)
    throw new Failure(`There is no variable ${name} for the environment ${environment}.`, { hint: '"millrace variables" lists them.' })
  await client.variables.delete({ params: { id: before.id } }, { ifMatch: before.revision })
}

function named(present: readonly Variable[], name: string, environment: Environment): Variable | undefined {
  return present.find((one) => one.name === name && one.environment === environment)
}

function environmentOf(text = 'all'): Environment {
  const environment = variableEnvironments.find((one) => one === text)
  if (environment === undefined) throw usageFailure(`--environment ${text}: it is all, draft or production.`)
  return environment
}

function settingOf(pair: string): Setting {
  const equals = pair.indexOf('=')
  if (equals < 1)
    throw usageFailure(`"${pair}" is not NAME=VALUE.`, 'Write millrace variables REGION=eu, or millrace variables --secret NAME.')
  const [name, text] = [pair.slice(0, equals), pair.slice(equals + 1)]
  const value = valueOf(text)
  if (typeof value === 'number' && !isExact(text, value))
    throw usageFailure(`${pair}: the number cannot be kept exactly.`, `Write it as a text: millrace variables '${name}="${text}"'.`)
  return { name, value, kind: kindOf(value) }
}

function valueOf(text: string): Json {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse returns JSON.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Whole numbers of more digits, such as those of accounts, would be rounded. */
function isExact(text: string, value: number): boolean {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(text))
}

function kindOf(value: Json): Setting['kind'] {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'json'
}

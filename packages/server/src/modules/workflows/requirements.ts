import type { JsonValue } from '@millrace/contract'
import {
  type Definition,
  eachTask,
  type EventConsumptionStrategy,
  type EventFilter,
  type InputRead,
  inputReads,
  isCallOf,
  variablesNamed,
} from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { SecretScope } from '#platform/secrets/secret-store.ts'
import { agentTools, connectionIn, modelIn, type ModelQuality, tableIn } from './agent-tools.ts'
import { isRisky } from './is-risky.ts'

export interface Need {
  readonly name: string
  /** JSON Pointer to its first use. */
  readonly pointer: string
  readonly missing: boolean
}

export interface EventNeed {
  readonly type: string
  readonly source: string | undefined
  readonly pointer: string
}

/** The needs of a workflow; each states whether it is missing in this account or installation. */
export interface Requirements {
  readonly inputSchema: JsonValue | undefined
  /** The parts of the input that it reads; none with a schema. */
  readonly reads: readonly InputRead[]
  readonly secrets: readonly Need[]
  readonly variables: readonly Need[]
  readonly connections: readonly Need[]
  /** Roles of models. */
  readonly models: readonly Need[]
  readonly events: readonly EventNeed[]
  readonly workflows: readonly Need[]
  readonly permissions: readonly Need[]
  /** Whether a person should decide before a program runs it: it acts outside of the platform, unless its author says `safe`. */
  readonly isRisky: boolean
}

export interface RequirementsDeps {
  /** Names of the secrets that executions of a workflow can read. */
  readonly secretNames: (accountId: string, scope: SecretScope) => Promise<ReadonlySet<string>>
  /** Names of the plain variables that executions of a workflow can read. */
  readonly variableNames: (accountId: string, scope: SecretScope) => Promise<ReadonlySet<string>>
  /** The subset of the names that connections of the account have. */
  readonly connectionNames: (tx: Kysely<Rows>, accountId: string, names: readonly string[]) => Promise<ReadonlySet<string>>
  /** Whether a model of the account or of the installation can write text for it. */
  readonly hasTextModel: (accountId: string) => Promise<boolean>
  /** The permissions that this installation grants to workflows, beyond HTTP. */
  readonly permissions: ReadonlySet<string>
}

/** Names that a definition uses, each with its first place. */
export interface Uses {
  readonly secrets: Map<string, string>
  readonly variables: ReadonlyMap<string, string>
  readonly connections: Map<string, string>
  /** Roles of models, by the model or agent that is asked. */
  readonly models: Map<ModelQuality, string>
  /** Tables of the platform. */
  readonly tables: Map<string, string>
  /** Those of them that it writes to, which creates them. */
  readonly writtenTables: Set<string>
  readonly workflows: Map<string, string>
  readonly permissions: Map<string, string>
  readonly events: EventNeed[]
}

/** The names that a definition uses, each with the JSON Pointer of its first use. */
export function usesOf(definition: Definition): Uses {
  const variables = variablesNamed(definition).names
  const uses: Uses = {
    secrets: new Map(),
    variables,
    connections: new Map(),
    models: new Map(),
    tables: new Map(),
    writtenTables: new Set(),
    workflows: new Map(),
    permissions: new Map(),
    events: [],
  }
  const addFirstUse = <T>(names: Map<T, string>, name: T, pointer: string) => names.has(name) || names.set(name, pointer)
  for (const [index, name] of (definition.use?.secrets ?? []).entries()) addFirstUse(uses.secrets, name, `/use/secrets/${index}`)
  if (definition.schedule?.on !== undefined) addEvents(uses.events, definition.schedule.on, '/schedule/on')
  for (const { kind, task, pointer } of eachTask(definition)) {
    if (kind === 'listen') addEvents(uses.events, task.listen.to, `${pointer}/listen/to`)
    if (kind === 'call' && isCallOf(task, 'mcp') && 'stdio' in task.with.transport)
      addFirstUse(uses.permissions, 'call.mcp.stdio', `${pointer}/with/transport/stdio`)
    if (kind === 'call' && !Object.hasOwn(definition.use?.functions ?? {}, task.call)) {
      const connection = connectionIn(task.with)
      if (connection !== undefined) addFirstUse(uses.connections, connection, `${pointer}/with/connection`)
      const quality = modelIn(task.call, task.with)
      if (quality !== undefined) addFirstUse(uses.models, quality, `${pointer}/call`)
      const table = tableIn(task.call, task.with)
      if (table !== undefined) addFirstUse(uses.tables, table.name, `${pointer}/with/table`)
      if (table?.writes === true) uses.writtenTables.add(table.name)
      for (const tool of agentTools(task.call, task.with)) {
        const at = `${pointer}/with/tools/${tool.index}`
        if (tool.workflow !== undefined) addFirstUse(uses.workflows, `${tool.workflow}:latest`, at)
        if (tool.connection !== undefined) addFirstUse(uses.connections, tool.connection, `${at}/connection`)
      }
    }
    if (kind !== 'run') continue
    const { workflow, script } = task.run
    if (workflow !== undefined)
      addFirstUse(uses.workflows, `${workflow.namespace}/${workflow.name}:${workflow.version}`, `${pointer}/run/workflow`)
    if (script !== undefined) addFirstUse(uses.permissions, `run.script.${script.language}`, `${pointer}/run/script`)
    for (const process of ['shell', 'container'] as const)
      if (task.run[process] !== undefined) addFirstUse(uses.permissions, `run.${process}`, `${pointer}/run/${process}`)
  }
  return uses
}

export async function requirementsOf(
  deps: RequirementsDeps,
  executor: Kysely<Rows>,
  accountId: string,
  { definition, ...scope }: SecretScope & { readonly definition: Definition },
): Promise<Requirements> {
  const uses = usesOf(definition)
  const secrets = uses.secrets.size === 0 ? new Set<string>() : await deps.secretNames(accountId, scope)
  const variables = uses.variables.size === 0 ? new Set<string>() : await deps.variableNames(accountId, scope)
  const workflows = uses.workflows.size === 0 ? new Set<string>() : await publishedNames(executor, accountId, [...uses.workflows.keys()])
  const connections =
    uses.connections.size === 0 ? new Set<string>() : await deps.connectionNames(executor, accountId, [...uses.connections.keys()])
  const hasModels = uses.models.size === 0 || (await deps.hasTextModel(accountId))
  const schema = definition.input?.schema
  return {
    inputSchema: schema !== undefined && 'document' in schema ? schema.document : undefined,
    reads: inputReads(definition),
    secrets: needs(uses.secrets, secrets),
    variables: needs(uses.variables, variables),
    connections: needs(uses.connections, connections),
    models: [...uses.models].map(([name, pointer]) => ({ name, pointer, missing: !hasModels })),
    events: uses.events,
    workflows: needs(uses.workflows, workflows),
    permissions: needs(uses.permissions, deps.permissions),
    isRisky: isRisky(definition),
  }
}

function needs(uses: ReadonlyMap<string, string>, present: ReadonlySet<string>): Need[] {
  return [...uses].map(([name, pointer]) => ({ name, pointer, missing: !present.has(name) }))
}

/** The subset of the names (`namespace/name:version`) that an execution could run. */
export async function publishedNames(executor: Kysely<Rows>, accountId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct asked.name
    from workflows w
    join workflow_versions v on v.workflow_id = w.id and v.number > 0
    join unnest(${[...names]}::text[]) as asked(name) on asked.name = w.namespace || '/' || w.document_name || ':' || v.document_version
      or (v.number = w.latest_number and asked.name = w.namespace || '/' || w.document_name || ':latest')
    where w.account_id = ${accountId} and w.deleted_at is null and w.enabled`.execute(executor)
  return new Set(rows.map(({ name }) => name))
}

/** The latest versions (`namespace/name:version`) of the workflows that executions could run, at most so many. */
export async function latestNames(executor: Kysely<Rows>, accountId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select w.namespace || '/' || w.document_name || ':' || v.document_version as name
    from workflows w join workflow_versions v on v.workflow_id = w.id and v.number = w.latest_number
    where w.account_id = ${accountId} and w.deleted_at is null and w.enabled order by w.id desc limit ${limit}`.execute(executor)
  return rows.map(({ name }) => name)
}

function addEvents(events: EventNeed[], strategy: EventConsumptionStrategy, pointer: string): void {
  const add = ({ with: { type, source } }: EventFilter, at: string) =>
    void events.push({ type: typeof type === 'string' ? type : '*', source, pointer: at })
  if ('one' in strategy) add(strategy.one, `${pointer}/one`)
  else if ('all' in strategy) for (const [index, filter] of strategy.all.entries()) add(filter, `${pointer}/all/${index}`)
  else {
    for (const [index, filter] of strategy.any.entries()) add(filter, `${pointer}/any/${index}`)
    if (typeof strategy.until === 'object') addEvents(events, strategy.until, `${pointer}/until`)
  }
}

import type { Definition } from '@millrace/dsl'
import {
  checkValue,
  type CompiledWorkflow,
  compileSchema,
  compileWorkflow,
  type Definitions,
  type FunctionManifest,
  type Json,
  type Processor,
  schemaDocument,
  type SchemaFault,
} from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { PinnedResources } from './model.ts'

export interface DefinitionsDeps {
  /** Not bound to an account: the engine runs those of all. */
  readonly db: Kysely<Rows>
  /** The default catalog. */
  readonly functions: readonly FunctionManifest[]
  readonly processor: Processor
  /** Compiled versions are kept up to so many characters of definition, those used last. */
  readonly charactersMax: number
}

/** The versions of all accounts, compiled. */
export interface CompiledDefinitions extends Definitions {
  /** What a version is compiled from; of the functions those whose name it contains. */
  sources(accountId: string, versionId: string): Promise<VersionSources>
  /** What a definition says of itself; the version is not compiled. */
  documentOf(accountId: string, versionId: string): Promise<CompiledWorkflow['document']>
  /** What of an input does not fit the version's input schema. */
  inputFaults(accountId: string, versionId: string, input: Json): Promise<readonly SchemaFault[]>
  /** The same of a definition that is not published yet. */
  inputFaultsOf(
    accountId: string,
    unpublished: { readonly definition: Definition; readonly resources: PinnedResources },
    input: Json,
  ): Promise<readonly SchemaFault[]>
}

export interface VersionSources {
  readonly definition: Json
  readonly functions: readonly FunctionManifest[]
  /** Pinned documents by their URL. */
  readonly resources: Readonly<Record<string, Json>>
}

interface Compiled {
  readonly accountId: string
  readonly characters: number
  readonly workflow: CompiledWorkflow
  /** Undefined where any input will do. */
  readonly inputSchema: Parameters<typeof checkValue>[2] | undefined
}

/** Versions never change, so what is compiled stays right for as long as it is kept. */
export function createDefinitions({ db, functions, processor, charactersMax }: DefinitionsDeps): CompiledDefinitions {
  const cached = new Map<string, Compiled>()
  const loading = new Map<string, Promise<Compiled>>()
  let characters = 0

  function keep(versionId: string, compiled: Compiled): void {
    cached.set(versionId, compiled)
    characters += compiled.characters
    for (const [oldest, { characters: size }] of cached) {
      if (characters <= charactersMax || oldest === versionId) break
      cached.delete(oldest)
      characters -= size
    }
  }

  async function load(versionId: string): Promise<Compiled> {
    const compiled = await readCompiled(db, versionId, functions)
    keep(versionId, compiled)
    return compiled
  }

  function find(versionId: string): Compiled | Promise<Compiled> {
    const known = cached.get(versionId)
    if (known !== undefined) {
      // A Map remembers the order in which keys came: the one used last goes to the end.
      cached.delete(versionId)
      cached.set(versionId, known)
      return known
    }
    const under = loading.get(versionId)
    if (under !== undefined) return under
    const begun = load(versionId).finally(() => loading.delete(versionId))
    loading.set(versionId, begun)
    return begun
  }

  async function ofAccount(accountId: string, versionId: string): Promise<Compiled> {
    const compiled = await find(versionId)
    if (compiled.accountId !== accountId) throw new Error(`version ${versionId} is not of account ${accountId}`)
    return compiled
  }

  return {
    load: async (accountId, versionId) => (await ofAccount(accountId, versionId)).workflow,
    async sources(accountId, versionId) {
      const { definition, resources, functions: all, ...version } = await readSources(db, versionId, functions)
      if (version.accountId !== accountId) throw new Error(`version ${versionId} is not of account ${accountId}`)
      const text = JSON.stringify(definition)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
      return { definition: definition as unknown as Json, functions: all.filter(({ name }) => text.includes(name)), resources }
    },
    async documentOf(accountId, versionId) {
      const { rows } = await sql<CompiledWorkflow['document']>`
        select definition #>> '{document,namespace}' as namespace, definition #>> '{document,name}' as name, definition #>> '{document,version}' as version
        from workflow_versions where account_id = ${accountId} and id = ${versionId}`.execute(db)
      if (rows[0] === undefined) throw new Error(`account ${accountId} has no version ${versionId}`)
      return rows[0]
    },
    async inputFaults(accountId, versionId, input) {
      const { inputSchema } = await ofAccount(accountId, versionId)
      return inputSchema === undefined ? [] : checkValue(processor, accountId, inputSchema, input)
    },
    async inputFaultsOf(accountId, { definition, resources }, input) {
      const inputSchema = inputSchemaOf(definition, contentsOf(resources))
      return inputSchema === undefined ? [] : checkValue(processor, accountId, inputSchema, input)
    },

    async resolve(accountId, { namespace, name, version }) {
      const { rows } = await sql<{ workflow_id: string; version_id: string }>`
        select w.id as workflow_id, v.id as version_id
        from workflows w
        join workflow_versions v on v.workflow_id = w.id
          and case when ${version}::text = 'latest' then v.number = w.latest_number else v.document_version = ${version} and v.number > 0 end
        where w.account_id = ${accountId} and w.namespace = ${namespace} and w.document_name = ${name} and w.deleted_at is null and w.enabled
        order by v.number desc limit 1`.execute(db)
      const found = rows[0]
      return found === undefined ? undefined : { workflowId: found.workflow_id, versionId: found.version_id }
    },
  }
}

interface ReadSources {
  readonly accountId: string
  readonly characters: number
  readonly definition: Definition
  readonly functions: readonly FunctionManifest[]
  readonly resources: Readonly<Record<string, Json>>
}

async function readSources(db: Kysely<Rows>, versionId: string, functions: readonly FunctionManifest[]): Promise<ReadSources> {
  const { rows } = await sql<{ account_id: string; definition: string; resources: string }>`
    select account_id, definition::text as definition, resources::text as resources from workflow_versions where id = ${versionId}`.execute(
    db,
  )
  const row = rows[0]
  if (row === undefined) throw new Error(`there is no workflow version ${versionId}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It validated when it was saved, and has not changed since.
  const definition = JSON.parse(row.definition) as Definition
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the store when it was published.
  const pinned = JSON.parse(row.resources) as PinnedResources
  const resources = contentsOf(pinned)
  const pinnedManifests = Object.values(pinned).flatMap(({ kind, content }) => (kind === 'manifest' ? [content] : []))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Pinned from manifests.
  const manifests = pinnedManifests as unknown as readonly FunctionManifest[]
  return {
    accountId: row.account_id,
    characters: row.definition.length + row.resources.length,
    definition,
    functions: [...functions, ...manifests],
    resources,
  }
}

async function readCompiled(db: Kysely<Rows>, versionId: string, catalog: readonly FunctionManifest[]): Promise<Compiled> {
  const { accountId, characters, definition, functions, resources } = await readSources(db, versionId, catalog)
  return {
    accountId,
    characters,
    workflow: compileWorkflow(definition, { functions, resources }, { lazy: true }),
    inputSchema: inputSchemaOf(definition, resources),
  }
}

function inputSchemaOf({ input }: Definition, resources: Readonly<Record<string, Json>>): Compiled['inputSchema'] {
  const schema = input?.schema
  return schema && { faultsOf: compileSchema(schema, resources), source: () => JSON.stringify(schemaDocument(schema, resources)) }
}

function contentsOf(pinned: PinnedResources): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(pinned).map(([uri, { content }]) => [uri, content]))
}

import { setImmediate } from 'node:timers/promises'
import { type FunctionManifest, isObject, itemsOf, type JsonObject, openDocument } from '@millrace/engine'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { findAccountConnector, findAccountDocument } from '#modules/connectors/account/account-connector-store.ts'
import { functionsOf } from '#modules/connectors/account/read-source.ts'
import { Manifest } from '#modules/connectors/manifest.ts'
import { findApprovedByName } from '#modules/connectors/submission-store.ts'
import { type CodeConnector, codeManifest } from '#modules/connectors/code/code-connector.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { CallableConnector } from './callable-connector.ts'
import { connectionArgument, manifestOf } from './function-manifest.ts'
import { type ConnectorFunction, withFunctionNames } from './function-names.ts'
import { documentOf, extrasOf } from './manifest-document.ts'
import type { SchemaBudget } from './self-contained.ts'

export interface ConnectorSourceDeps {
  readonly db: Kysely<Rows>
  readonly builtIn: readonly BuiltInConnector[]
  readonly code: readonly CodeConnector[]
}

/** A connector of the installation that is described by a manifest. */
export interface BuiltInConnector {
  readonly name: string
  readonly manifest: unknown
}

export type ConnectorSource = ReturnType<typeof createConnectorSource>

const cachedMax = 50
/** Functions are described no longer than this without a turn of the event loop. */
const stretchMs = 5
const base = 'https://document.invalid/'

/** The connectors that definitions call by name: those of the account first, then those of the installation, then approved submissions. */
export function createConnectorSource({ db, builtIn, code }: ConnectorSourceDeps) {
  const all = [...builtIn.map(({ name, manifest }) => ofManifest(name, manifest, 'built-in')), ...code.map(ofCode)]
  const own = new Map(all.map((connector) => [connector.name, connector]))
  const cache = new LRUCache<string, CallableConnector>({ max: cachedMax })

  async function ofAccount(accountId: string, name: string): Promise<CallableConnector | undefined> {
    const found = await findAccountConnector(db, accountId, { name })
    if (found === undefined) return undefined
    const key = `${found.id} ${found.revision}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const root = await findAccountDocument(db, accountId, found.id)
    if (root === undefined) return undefined
    const { title, version, kind, functions } = found
    const document = kind === 'mcp' ? undefined : openDocument(root, base)
    const connector: CallableConnector = {
      name,
      title,
      version,
      origin: 'account',
      kind,
      functions,
      root,
      document,
      ...(kind === 'manifest' ? extrasOf(root) : {}),
    }
    cache.set(key, connector)
    return connector
  }

  async function ofSubmission(name: string): Promise<CallableConnector | undefined> {
    const found = await findApprovedByName(db, name)
    if (found === undefined) return undefined
    const key = `${found.id} ${found.checksum}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const connector =
      found.kind === 'manifest'
        ? ofManifest(name, found.document, 'submission')
        : ofDocument(name, found.title, jsonOf(found.document), 'submission')
    cache.set(key, connector)
    return connector
  }

  const find = async (accountId: string, name: string): Promise<CallableConnector | undefined> =>
    (await ofAccount(accountId, name)) ?? own.get(name) ?? ofSubmission(name)

  /** The connectors of functions that exist, with the manifests of those that they have. */
  async function look(accountId: string, names: readonly string[]) {
    const wanted = names.map((full) => {
      const [connector = '', name = ''] = full.split('.')
      return { connector, name }
    })
    const connectorNames = [...new Set(wanted.map(({ connector }) => connector))]
    const connectors = new Map(await Promise.all(connectorNames.map(async (name) => [name, await find(accountId, name)] as const)))
    const found: { readonly connector: CallableConnector; readonly manifest: FunctionManifest | undefined }[] = []
    const budget: SchemaBudget = { left: schemaValuesMax }
    let since = performance.now()
    for (const { connector: connectorName, name } of wanted) {
      const connector = connectors.get(connectorName)
      if (connector === undefined) continue
      // Schemas of thousands of values are copied, for each of hundreds of functions.
      if (performance.now() - since > stretchMs) {
        await setImmediate()
        since = performance.now()
      }
      found.push({ connector, manifest: functionManifest(connector, name, budget) })
    }
    return found
  }

  return {
    builtIn: [...own.values()],
    find,

    /** The manifests of functions by their full names; those that do not exist are left out. */
    async manifests(accountId: string, names: readonly string[]): Promise<readonly FunctionManifest[]> {
      return (await look(accountId, names)).flatMap(({ manifest }) => manifest ?? [])
    },

    /** The same, and by name alone the other functions of connectors that do not have all of them: a message suggests one. */
    async manifestsOrOthers(accountId: string, names: readonly string[]): Promise<readonly FunctionManifest[]> {
      const found = await look(accountId, names)
      const lacking = new Set(found.flatMap(({ connector, manifest }) => (manifest === undefined ? [connector] : [])))
      const others = [...lacking].flatMap((connector) => connector.functions.map((other) => nameOnly(connector, other)))
      return [
        ...found.flatMap(({ manifest }) => manifest ?? []),
        ...others.filter(({ name }) => !names.includes(name)).slice(0, suggestedMax),
      ]
    },
  }
}

/** Bounds what the schemas of all functions that one definition calls cost. */
const schemaValuesMax = 100_000

/** Bounds what suggestions cost a definition with many wrong names. */
const suggestedMax = 500

function nameOnly(
  { name: connector, version }: CallableConnector,
  { name, summary }: Pick<ConnectorFunction, 'name' | 'summary'>,
): FunctionManifest {
  return { name: `${connector}.${name}`, version, summary, performs: 'effect', input: {}, output: {} }
}

/** What a function of a connector takes and gives. */
export function functionManifest(
  connector: CallableConnector,
  name: string,
  budget: SchemaBudget = { left: schemaValuesMax },
): FunctionManifest | undefined {
  if (connector.code !== undefined) return codeManifest(connector.code, name)
  if (connector.kind !== 'mcp') return manifestOf(connector.name, connector.root, name, connector, budget)
  const tool = toolOf(connector, name)
  const known = connector.functions.find((candidate) => candidate.name === name)
  if (tool === undefined || known === undefined) return undefined
  const input = tool['inputSchema'] !== undefined && isObject(tool['inputSchema']) ? tool['inputSchema'] : {}
  const properties = input['properties'] !== undefined && isObject(input['properties']) ? input['properties'] : {}
  return {
    name: `${connector.name}.${name}`,
    version: connector.version,
    summary: known.summary,
    performs: 'effect',
    input: { ...input, type: 'object', properties: { ...properties, connection: connectionArgument } },
    output: { type: 'object', description: 'The result of the tool: content, and structuredContent where it has some.' },
  }
}

/** The tool of an MCP server behind a function. */
export function toolOf({ root }: CallableConnector, name: string): JsonObject | undefined {
  return itemsOf(root['tools']).flatMap((tool) => (isObject(tool) && tool['function'] === name ? [tool] : []))[0]
}

function ofCode(code: CodeConnector): CallableConnector {
  const { name, title, version, functions } = code
  return { name, title, version, origin: 'built-in', kind: 'code', functions, root: {}, document: undefined, code }
}

function ofManifest(name: string, given: unknown, origin: CallableConnector['origin']): CallableConnector {
  const manifest = Manifest.parse(given)
  return {
    ...ofDocument(name, manifest.title, documentOf(manifest), origin),
    kind: 'manifest',
    version: manifest.version,
    refusal: manifest.refusal,
    headers: manifest.headers,
  }
}

function ofDocument(name: string, title: string, given: JsonObject, origin: CallableConnector['origin']): CallableConnector {
  const root = withFunctionNames(given)
  return { name, title, version: '1.0.0', origin, kind: 'openapi', functions: functionsOf(root), root, document: openDocument(root, base) }
}

function jsonOf(value: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Parsed from JSON.
  return value as JsonObject
}

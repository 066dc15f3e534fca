import { Fault } from '@millrace/contract'
import type { FunctionManifest, JsonObject } from '@millrace/engine'
import type { Kysely } from 'kysely'
import { listAccountConnectors } from '#modules/connectors/account/account-connector-store.ts'
import { listApprovedNames } from '#modules/connectors/submission-store.ts'
import type { Rows } from '#platform/db/rows.ts'
import { type ConnectorSource, functionManifest } from './connector-source.ts'
import type { ConnectorFunction } from './function-names.ts'

/** A function in a list. */
export interface ListedFunction {
  readonly name: string
  readonly version: string
  readonly summary: string
  readonly connector: string | null
  readonly origin: 'installation' | 'account' | 'submission'
}

export interface DetailedFunction extends ListedFunction {
  readonly input: JsonObject
  readonly output: JsonObject
}

export interface FunctionsDeps {
  readonly db: Kysely<Rows>
  readonly catalog: readonly FunctionManifest[]
  readonly source: ConnectorSource
}

export type Functions = ReturnType<typeof createFunctions>

const approvedMax = 200

/** The functions that definitions of an account can call, for editors. */
export function createFunctions({ db, catalog, source }: FunctionsDeps) {
  const listed = catalog
    .filter(({ internal }) => internal === undefined)
    .map((manifest): ListedFunction => ({ ...summaryOf(manifest), connector: connectorOf(manifest.name), origin: 'installation' }))

  async function all(accountId: string): Promise<readonly ListedFunction[]> {
    const own = await listAccountConnectors(db, accountId)
    const taken = new Set([...own, ...source.builtIn].map(({ name }) => name))
    const names = (await listApprovedNames(db, approvedMax)).filter((name) => !taken.has(name))
    const approved = (await Promise.all(names.map((name) => source.find(accountId, name)))).filter((connector) => connector !== undefined)
    return [
      ...listed,
      ...own.flatMap((connector) => functionsOf(connector, 'account')),
      ...source.builtIn
        .filter(({ name }) => !own.some((connector) => connector.name === name))
        .flatMap((connector) => functionsOf(connector, 'installation')),
      ...approved.flatMap((connector) => functionsOf(connector, 'submission')),
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  return {
    async list(
      accountId: string,
      {
        text,
        connector,
        after,
        limit,
      }: {
        readonly text?: string | undefined
        readonly connector?: string | undefined
        readonly after: string | undefined
        readonly limit: number
      },
    ): Promise<readonly ListedFunction[]> {
      const words = (text ?? '').toLowerCase().split(/\s+/)
      const matches = (entry: ListedFunction) => {
        if ((after !== undefined && entry.name <= after) || (connector !== undefined && entry.connector !== connector)) return false
        const said = `${entry.name} ${entry.summary}`.toLowerCase()
        return words.every((word) => said.includes(word))
      }
      return (await all(accountId)).filter(matches).slice(0, limit)
    },

    /** Fault `not_found`. */
    async get(accountId: string, name: string): Promise<DetailedFunction> {
      const manifest = catalog.find((candidate) => candidate.name === name)
      if (manifest !== undefined)
        return {
          ...summaryOf(manifest),
          connector: connectorOf(name),
          origin: 'installation',
          input: manifest.input,
          output: manifest.output,
        }
      const [connectorName = '', functionName = ''] = name.split('.')
      const connector = await source.find(accountId, connectorName)
      const found = connector === undefined ? undefined : functionManifest(connector, functionName)
      if (connector === undefined || found === undefined) throw new Fault('not_found', { detail: 'There is no such function.' })
      const origin = connector.origin === 'built-in' ? 'installation' : connector.origin
      return { ...summaryOf(found), connector: connectorName, origin, input: found.input, output: found.output }
    },
  }
}

function summaryOf({ name, version, summary }: FunctionManifest) {
  return { name, version, summary }
}

function connectorOf(name: string): string | null {
  return name.includes('.') ? (name.split('.')[0] ?? null) : null
}

function functionsOf(
  {
    name,
    version,
    functions,
  }: { readonly name: string; readonly version: string; readonly functions: readonly Pick<ConnectorFunction, 'name' | 'summary'>[] },
  origin: ListedFunction['origin'],
): readonly ListedFunction[] {
  return functions.map((entry) => ({ name: `${name}.${entry.name}`, version, summary: entry.summary, connector: name, origin }))
}

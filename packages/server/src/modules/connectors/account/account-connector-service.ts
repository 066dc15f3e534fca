import { Fault } from '@millrace/contract'
import type { DocumentWork } from '#modules/connectors/documents/document-work.ts'
import { isTaken } from '#platform/db/is-taken.ts'
import type { Tx } from '#platform/http/index.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import {
  connectorNameConstraint,
  countAccountConnectors,
  deleteAccountConnector,
  findAccountConnector,
  insertAccountConnector,
  replaceSource,
} from './account-connector-store.ts'
import { type AccountConnector, type AccountConnectorKind, accountConnectorsMax, type LocatedSource } from './model.ts'
import { fetchText, refused } from './read-source.ts'
import { type CallMcp, readTools } from './read-tools.ts'

export interface AccountConnectorsDeps {
  readonly now: () => number
  readonly newId: () => string
  readonly http: Pick<GuardedFetch, 'request'>
  readonly documents: Pick<DocumentWork, 'read'>
  readonly callMcp: CallMcp
  /** Names that no connector of an account can have. */
  readonly reserved: ReadonlySet<string>
  readonly transaction: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
}

export interface ConnectorSource {
  readonly document: string | object | undefined
  readonly url: string | undefined
  /** Name of a connection, for a server that asks for credentials. */
  readonly connection: string | undefined
}

export interface NewConnector extends ConnectorSource {
  readonly name: string
  readonly kind: AccountConnectorKind
}

export type AccountConnectors = ReturnType<typeof createAccountConnectors>

/** The connectors of an account: OpenAPI documents, manifests, and MCP servers. */
export function createAccountConnectors(deps: AccountConnectorsDeps) {
  async function readSource(accountId: string, { name, kind, document, url, connection }: NewConnector): Promise<LocatedSource> {
    if (kind === 'mcp') {
      if (url === undefined) throw refused('/url', 'Is required for the kind mcp.')
      return { url, ...(await readTools(deps.callMcp, { accountId, name, url, connection })) }
    }
    if ((document === undefined) === (url === undefined)) throw refused('/document', 'Give either the document or its address as url.')
    const text = url === undefined ? (typeof document === 'string' ? document : JSON.stringify(document)) : await fetchText(deps.http, url)
    const pointer = url === undefined ? '/document' : '/url'
    return { url, ...(await deps.documents.read(accountId, { kind, text, pointer })) }
  }

  return {
    /** Reads the document or the server; call it before the transaction of `create`. */
    async prepareCreate(accountId: string, wanted: NewConnector): Promise<LocatedSource> {
      if (deps.reserved.has(wanted.name)) throw refused('/name', `${wanted.name} is a connector of the installation.`)
      return readSource(accountId, wanted)
    },

    async create(tx: Tx, accountId: string, { name, kind }: NewConnector, source: LocatedSource, actor: string): Promise<AccountConnector> {
      if ((await countAccountConnectors(tx, accountId)) >= accountConnectorsMax)
        throw new Fault('conflict', { detail: `Connector limit reached (${accountConnectorsMax}). Delete one that is not needed.` })
      const id = deps.newId()
      try {
        await insertAccountConnector(tx, accountId, { id, name, kind }, source, { at: new Date(deps.now()), by: actor })
      } catch (cause) {
        throw isTaken(cause, connectorNameConstraint)
          ? new Fault('conflict', { detail: `There is a connector with the name ${name} already.`, cause })
          : cause
      }
      return find(tx, accountId, id)
    },

    /** Reads the document or the server again; call it before the transaction of `replace`. */
    async prepareReplace(accountId: string, id: string, source: ConnectorSource): Promise<LocatedSource> {
      const { name, kind, url } = await deps.transaction(accountId, (tx) => find(tx, accountId, id))
      const isNew = source.document !== undefined || source.url !== undefined
      return readSource(accountId, { ...source, ...(isNew ? {} : { url }), name, kind })
    },

    async replace(tx: Tx, accountId: string, id: string, source: LocatedSource): Promise<AccountConnector> {
      await find(tx, accountId, id)
      await replaceSource(tx, accountId, id, source, new Date(deps.now()))
      return find(tx, accountId, id)
    },

    async remove(tx: Tx, accountId: string, id: string): Promise<AccountConnector> {
      const connector = await find(tx, accountId, id)
      await deleteAccountConnector(tx, accountId, id)
      return connector
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<AccountConnector> {
  const found = await findAccountConnector(tx, accountId, { id })
  if (found === undefined) throw new Fault('not_found', { detail: 'There is no such connector.' })
  return found
}

import { Fault } from '@millrace/contract'
import type { FunctionManifest } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { findAccountConnector, findAccountDocument, listAccountConnectors } from './account/account-connector-store.ts'
import type { CallableConnector } from './functions/callable-connector.ts'
import type { Connector } from './model.ts'
import { findDocument, findSubmission, listApproved } from './submission-store.ts'

export interface ConnectorPage {
  readonly text: string | undefined
  /** The last entry of the page before. */
  readonly after: { readonly kind: 'account' | 'function' | 'submission'; readonly key: string } | undefined
  readonly limit: number
}

export interface CatalogueDeps {
  readonly system: Kysely<Rows>
  readonly functions: readonly FunctionManifest[]
  readonly builtIn: readonly CallableConnector[]
}

export type ConnectorCatalogue = ReturnType<typeof createConnectorCatalogue>

/** Everything that a definition can connect to by name. */
export function createConnectorCatalogue({ system, functions, builtIn }: CatalogueDeps) {
  const ofInstallation = [
    ...functions
      .filter(({ internal }) => internal === undefined)
      .map((manifest) => ({ name: manifest.name, text: manifest.summary, connector: { manifest } })),
    ...builtIn.map((connector) => ({ name: connector.name, text: textOf(connector), connector: { builtIn: connector } })),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  async function listCommon({ text, after, limit }: ConnectorPage): Promise<readonly Connector[]> {
    if (limit <= 0) return []
    const word = text?.toLowerCase() ?? ''
    const own = ofInstallation.filter(
      (entry) => (after === undefined || entry.name > after.key) && `${entry.name} ${entry.text}`.toLowerCase().includes(word),
    )
    const first = after?.kind === 'submission' ? [] : own.slice(0, limit).map(({ connector }): Connector => connector)
    const before = after?.kind === 'submission' ? after.key : undefined
    const approved = first.length >= limit ? [] : await listApproved(system, { text, before, limit: limit - first.length })
    return [...first, ...approved.map((submission): Connector => ({ submission }))]
  }

  return {
    names: new Set(functions.map(({ name }) => name)),

    async list(accountId: string, { text, after, limit }: ConnectorPage): Promise<readonly Connector[]> {
      const word = text?.toLowerCase() ?? ''
      const mine = after === undefined || after.kind === 'account' ? await listAccountConnectors(system, accountId) : []
      const ofAccount = mine
        .filter(({ id, name, title }) => (after === undefined || id < after.key) && `${name} ${title}`.toLowerCase().includes(word))
        .slice(0, limit)
        .map((own): Connector => ({ own }))
      const rest = await listCommon({ text, after: after?.kind === 'account' ? undefined : after, limit: limit - ofAccount.length })
      return [...ofAccount, ...rest]
    },

    ofInstallation(name: string): Connector | undefined {
      return ofInstallation.find((entry) => entry.name === name)?.connector
    },

    async own(accountId: string, id: string): Promise<Connector> {
      const own = await findAccountConnector(system, accountId, { id })
      const document = await findAccountDocument(system, accountId, id)
      if (own === undefined || document === undefined) throw new Fault('not_found', { detail: 'There is no such connector.' })
      return { own, document }
    },

    async approved(id: string): Promise<Connector> {
      const document = await findDocument(system, id)
      const submission = await findSubmission(system, id)
      if (document === undefined || submission === undefined) throw new Fault('not_found', { detail: 'There is no such connector.' })
      return { submission, document }
    },
  }
}

function textOf({ title, functions }: CallableConnector): string {
  return [title, ...functions.map(({ name, summary }) => `${name} ${summary}`)].join(' ')
}

import { Fault } from '@millrace/contract'
import type { FunctionManifest } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { findAccountConnector, findAccountDocument, listAccountConnectors } from './account/account-connector-store.ts'
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
}

export type ConnectorCatalogue = ReturnType<typeof createConnectorCatalogue>

/** Everything that a definition can connect to by name. It is the same for all accounts. */
export function createConnectorCatalogue({ system, functions }: CatalogueDeps) {
  const byName = functions.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  async function listCommon({ text, after, limit }: ConnectorPage): Promise<readonly Connector[]> {
    if (limit <= 0) return []
    const word = text?.toLowerCase() ?? ''
    const own = byName.filter(
      ({ name, summary }) => (after === undefined || name > after.key) && `${name} ${summary}`.toLowerCase().includes(word),
    )
    const first = after?.kind === 'submission' ? [] : own.slice(0, limit).map((manifest): Connector => ({ manifest }))
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

    function(name: string): Connector | undefined {
      const manifest = functions.find((candidate) => candidate.name === name)
      return manifest === undefined ? undefined : { manifest }
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

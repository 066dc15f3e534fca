import { Fault } from '@millrace/contract'
import type { FunctionManifest } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Connector } from './model.ts'
import { findDocument, findSubmission, listApproved } from './submission-store.ts'

export interface ConnectorPage {
  readonly text: string | undefined
  /** The last entry of the page before. */
  readonly after: { readonly kind: 'function' | 'submission'; readonly key: string } | undefined
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
  return {
    names: new Set(functions.map(({ name }) => name)),

    async list({ text, after, limit }: ConnectorPage): Promise<readonly Connector[]> {
      const word = text?.toLowerCase() ?? ''
      const own = byName.filter(
        ({ name, summary }) => (after === undefined || name > after.key) && `${name} ${summary}`.toLowerCase().includes(word),
      )
      const first = after?.kind === 'submission' ? [] : own.slice(0, limit).map((manifest): Connector => ({ manifest }))
      const before = after?.kind === 'submission' ? after.key : undefined
      const approved = first.length >= limit ? [] : await listApproved(system, { text, before, limit: limit - first.length })
      return [...first, ...approved.map((submission): Connector => ({ submission }))]
    },

    function(name: string): Connector | undefined {
      const manifest = functions.find((candidate) => candidate.name === name)
      return manifest === undefined ? undefined : { manifest }
    },

    async approved(id: string): Promise<Connector> {
      const document = await findDocument(system, id)
      const submission = await findSubmission(system, id)
      if (document === undefined || submission === undefined) throw new Fault('not_found', { detail: 'There is no such connector.' })
      return { submission, document }
    },
  }
}

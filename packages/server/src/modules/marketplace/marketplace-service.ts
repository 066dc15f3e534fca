import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { fillParameters, freelyNamed, listOrigins, type ParameterValues, type Workflows } from '#modules/workflows/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Tx } from '#platform/http/index.ts'
import { changeState, countEntries, findEntryOf, hasImported, insertImport, saveEntry, saveRating, saveReport } from './entry-store.ts'
import { entriesMax, type Entry, type EntryDetails, type EntryState, type Publication, type ReportReason, versionsMax } from './model.ts'
import { findDetails, findEntries, findEntry, findNotes, listReports } from './public-store.ts'
import { publicationOf, type PublicationText, publicDefinition } from './publication.ts'

export interface MarketplaceDeps {
  readonly now: () => number
  readonly newId: () => string
  /** Sees the entries of every account. */
  readonly system: Kysely<Rows>
  readonly workflows: Workflows
}

/** Who does something: the account, its user as `kind:id`. */
export interface Actor {
  readonly accountId: string
  readonly actor: string
}

export type PublishedText = Omit<PublicationText, 'title'> & { readonly version: number | undefined; readonly title: string | undefined }

export type Marketplace = ReturnType<typeof createMarketplace>

/** Publishes, imports, rates and moderates entries of the marketplace. */
export function createMarketplace({ now, newId, system, workflows }: MarketplaceDeps) {
  const authorship = (by: string) => ({ at: new Date(now()), by })

  /** A public entry. Fault `not_found` for every other one. */
  async function listed(id: string): Promise<Entry> {
    const entry = await findEntry(system, id)
    if (entry?.state !== 'listed') throw missing()
    return entry
  }

  return {
    async details(id: string): Promise<EntryDetails> {
      const found = await findDetails(system, id)
      if (found?.entry.state !== 'listed') throw missing()
      return found
    },

    /** An entry in any state, for those who may change it. */
    async anyDetails(id: string): Promise<EntryDetails> {
      const found = await findDetails(system, id)
      if (found === undefined) throw missing()
      return found
    },

    /** Checks what is to be published; writes nothing. */
    async prepare(accountId: string, workflowId: string, { version, title, ...said }: PublishedText): Promise<Publication> {
      const draft = await workflows.get(accountId, workflowId, version, 'json')
      const latest = version ?? draft.workflow.latest?.number
      if (latest === undefined)
        throw new Fault('workflow_not_published', { detail: 'Only a published version can be made public. Publish it first.' })
      const { definition } = version === undefined ? await workflows.get(accountId, workflowId, latest, 'json') : draft
      const { read } = await workflows.prepareCreate(accountId, {
        definition: JSON.stringify(publicDefinition(definition.json, said.parameters)),
        publish: false,
      })
      return publicationOf(workflowId, read.definition, { ...said, title: title ?? draft.workflow.name })
    },

    /** Writes an entry with its next version and returns its id. Fault `conflict` for one that an operator removed, and at the limits. */
    async publish(tx: Tx, { accountId, actor }: Actor, publication: Publication): Promise<EntryDetails> {
      const count = await countEntries(tx, accountId)
      const before = await findEntryOf(tx, accountId, publication.workflowId)
      if (before?.state === 'removed')
        throw new Fault('conflict', { detail: `An operator removed this entry: ${before.reason ?? 'no reason given'}` })
      if (before === undefined && count >= entriesMax)
        throw new Fault('conflict', { detail: `Entry limit reached (${entriesMax}). No further workflow can be published.` })
      const number = (before?.version ?? 0) + 1
      if (number > versionsMax) throw new Fault('conflict', { detail: `Version limit reached (${versionsMax}).` })
      const id = before?.id ?? newId()
      await saveEntry(tx, accountId, { id, number, publication }, authorship(actor))
      const saved = await findDetails(tx, id)
      if (saved === undefined) throw new Error(`the entry ${id} was saved and is not there`)
      return saved
    },

    /** The new workflow of an import, and where it comes from; writes nothing. */
    async prepareImport(accountId: string, id: string, options: ImportOptions) {
      const { entry, version } = await this.details(id)
      const source = fillParameters(version.source, version.parameters, options.parameters)
      const given = {
        ...(await freelyNamed(source, { name: options.name, title: entry.title }, workflows.naming(accountId, options.attempt))),
        description: entry.summary,
        tags: [...entry.tags],
        publish: options.publish,
      }
      const definition = await workflows.prepareCreate(accountId, given)
      const origin = { kind: 'marketplace' as const, source: id, version: String(version.number), checksum: version.checksum }
      return { given, definition, origin }
    },

    noteImport: (tx: Tx, accountId: string, id: string) => ifThere(() => insertImport(tx, accountId, id, new Date(now()))),

    /** Rates an entry; returns the sum and number of its ratings with this one. */
    async rate(tx: Tx, { accountId, actor }: Actor, id: string, stars: number): Promise<{ readonly sum: number; readonly count: number }> {
      const entry = await listed(id)
      if (entry.accountId === accountId) throw new Fault('forbidden', { detail: 'An account cannot rate its own entries.' })
      if (!(await hasImported(tx, accountId, id)))
        throw new Fault('conflict', { detail: 'Only an account that imported the entry can rate it. Import it first.' })
      const before = await ifThere(() => saveRating(tx, accountId, { entryId: id, stars }, authorship(actor)))
      return { sum: entry.ratingSum - (before ?? 0) + stars, count: entry.ratingCount + (before === undefined ? 1 : 0) }
    },

    async report(
      tx: Tx,
      { accountId, actor }: Actor,
      id: string,
      said: { readonly reason: ReportReason; readonly detail: string },
    ): Promise<void> {
      await listed(id)
      await ifThere(() => saveReport(tx, accountId, { id: newId(), entryId: id, ...said }, authorship(actor)))
    },

    reports: (page: { readonly before: string | undefined; readonly limit: number }) => listReports(system, page),

    /** Changes the state of an entry: an operator of any, an admin of the account's own ones. */
    async moderate(who: Moderator, id: string, wanted: { readonly state: EntryState; readonly reason: string | undefined }): Promise<void> {
      const entry = await findEntry(system, id)
      const isOwn = entry?.accountId === who.accountId
      if (entry === undefined || !(isOwn || who.isOperator)) throw missing()
      assertModeration(entry, wanted, { ...who, isOwn })
      const reason = wanted.state === 'removed' ? wanted.reason : undefined
      if (!(await changeState(system, entry, { state: wanted.state, reason }, new Date(now()))))
        throw new Fault('conflict', { detail: 'Its state was changed meanwhile. Read the entry again.' })
    },

    /** The account's workflows that came from the marketplace, with the entries as they are now. */
    async imports(tx: Tx, accountId: string, page: { readonly before: string | undefined; readonly limit: number }) {
      const origins = await listOrigins(tx, accountId, { kind: 'marketplace', ...page })
      const ids = [...new Set(origins.map(({ source }) => source))]
      return { origins, entries: await findEntries(system, ids), notes: await findNotes(system, ids) }
    },
  }
}

export interface ImportOptions {
  readonly name: string | undefined
  readonly publish: boolean
  readonly parameters: ParameterValues
  /** Of the request, from 1 on. */
  readonly attempt: number
}

/** Who wants to change the state of an entry. */
export interface Moderator {
  readonly accountId: string
  readonly isOperator: boolean
  /** Whether the user is an admin of the account. */
  readonly isAdmin: boolean
}

function assertModeration(
  entry: Entry,
  { state, reason }: { readonly state: EntryState; readonly reason: string | undefined },
  { isOwn, isOperator, isAdmin }: Moderator & { readonly isOwn: boolean },
): void {
  if (state === 'removed') {
    if (!isOperator) throw new Fault('forbidden', { detail: 'Only an operator removes an entry. Withdraw it instead.' })
    if (reason === undefined)
      throw new Fault('request_invalid', {
        errors: [{ pointer: '/reason', detail: 'Is required to remove an entry: its author reads it.' }],
      })
    return
  }
  if (state === 'withdrawn' && !isOwn) throw new Fault('forbidden', { detail: 'Only the account that published an entry withdraws it.' })
  if (!isOperator && !isAdmin) throw new Fault('forbidden', { detail: 'This needs the role admin.' })
  if (entry.state === 'removed' && !isOperator)
    throw new Fault('conflict', { detail: `An operator removed this entry: ${entry.reason ?? 'no reason given'}` })
}

function missing(): Fault {
  return new Fault('not_found', { detail: 'There is no such entry in the marketplace.' })
}

/** Faults `not_found` where a write finds its entry deleted since it was read. */
async function ifThere<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === foreignKeyViolation) throw missing()
    throw cause
  }
}

const foreignKeyViolation = '23503'

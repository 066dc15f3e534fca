import { Fault, hasRole, type Publishers, type Role } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { nextTestNumber } from '#modules/workflows/drafts/test-versions.ts'
import type { Manager, NewVersion } from '#modules/workflows/model.ts'
import type { Authorship } from '#modules/workflows/store.ts'
import { deleteRequest } from './request-store.ts'

type Executor = Kysely<Rows>

export interface PublishingDeps {
  readonly now: () => number
  readonly publishers: (tx: Executor, accountId: string) => Promise<Publishers>
  /** The role of a user, or of the user of a key, as `kind:id`; undefined for an actor that is neither. */
  readonly roleOf: (tx: Executor, accountId: string, actor: string) => Promise<Role | undefined>
  /** Notifies the person who asked for a publication, unless they published themselves. */
  readonly notifyPublished: (tx: Executor, accountId: string, published: RequestedPublication) => Promise<void>
}

/** A publication that ends a request. */
export interface RequestedPublication {
  readonly workflowId: string
  /** Of the version. */
  readonly number: number
  /** As `kind:id`. */
  readonly requestedBy: string
  /** Whether it is the draft that was asked for. */
  readonly isAsAsked: boolean
}

/**
 * Why a publication needs no right of its author. `repository`: it takes what is in a repository that an administrator linked. `agent-run`: it is
 * compiled for one run, and nothing starts it by itself. `recompiled-chain`: a member of an unchanged chain was published under another name.
 */
export type PublicationPermit = 'repository' | 'agent-run' | 'recompiled-chain'

/** The author of a change; `actor` has the form `kind:id`. */
export interface Author {
  readonly actor: string
  readonly permit?: PublicationPermit
}

export type Publishing = ReturnType<typeof createPublishing>

/** The only place that inserts versions: by one that is published, a definition becomes the one that runs. */
export function createPublishing({ now, publishers, roleOf, notifyPublished }: PublishingDeps) {
  const authorship = ({ actor }: Author): Authorship => ({ at: new Date(now()), by: actor })

  /** Whether an author may decide what runs in an account. */
  async function mayPublish(tx: Executor, accountId: string, { actor, permit }: Author): Promise<boolean> {
    if (permit !== undefined || (await publishers(tx, accountId)) === 'members') return true
    const role = await roleOf(tx, accountId, actor)
    return role !== undefined && hasRole(role, 'admin')
  }

  return {
    mayPublish,

    /** Inserts the version that runs from now on, which answers a request for it. Fault `publishing_restricted`. */
    async publish(tx: Executor, accountId: string, version: NewVersion, { by, managedBy }: PublishedBy): Promise<void> {
      if (!(await mayPublish(tx, accountId, by))) throw publishingRefused(managedBy)
      await insertVersion(tx, accountId, version, authorship(by))
      const request = await deleteRequest(tx, accountId, version.workflowId)
      if (request !== undefined && request.requestedBy !== by.actor)
        await notifyPublished(tx, accountId, {
          workflowId: version.workflowId,
          number: version.number,
          requestedBy: request.requestedBy,
          isAsAsked: request.checksum === version.definition.checksum,
        })
    },

    /** Fault `publishing_restricted` for an author who may not put a published workflow into force again. */
    async assertMayEnable(tx: Executor, accountId: string, by: Author): Promise<void> {
      if (!(await mayPublish(tx, accountId, by))) throw enablingRefused()
    },

    /** Keeps a version for executions of the origin `test` alone, which all who may edit may start; returns its number. */
    async insertTest(tx: Executor, accountId: string, version: NewVersion, by: Author): Promise<number> {
      const { workflowId, definition } = version
      const { number, isNew } = await nextTestNumber(tx, accountId, workflowId, definition.checksum)
      if (isNew) await insertVersion(tx, accountId, { ...version, number }, authorship(by))
      return number
    },
  }
}

interface PublishedBy {
  readonly by: Author
  readonly managedBy: Manager | undefined
}

const onlyAdmins = 'In this account, only administrators and owners'

function publishingRefused(managedBy: Manager | undefined): Fault {
  if (managedBy === 'chain')
    return new Fault('publishing_restricted', {
      detail: `${onlyAdmins} create and change chains, which can run as soon as they are saved. Ask one of them.`,
    })
  return new Fault('publishing_restricted', {
    errors: [
      {
        pointer: '/publish',
        detail: 'Must be false. A draft can be tried, and `POST /api/v1/workflows/{id}/publish-request` asks those who may publish it.',
      },
    ],
  })
}

function enablingRefused(): Fault {
  return new Fault('publishing_restricted', {
    detail: `${onlyAdmins} enable workflows that are published. Ask one of them.`,
    errors: [{ pointer: '/enabled', detail: 'Only administrators and owners of this account turn it on.' }],
  })
}

async function insertVersion(executor: Executor, accountId: string, version: NewVersion, { at, by }: Authorship): Promise<void> {
  const { definition } = version
  await sql`
    insert into workflow_versions (id, account_id, workflow_id, number, document_version, definition, source, syntax, checksum, warnings,
      checks_input, resources, note, created_at, created_by)
    values (${version.id}, ${accountId}, ${version.workflowId}, ${version.number}, ${version.documentVersion}, ${definition.json},
      ${definition.source}, ${definition.syntax}, ${definition.checksum}, ${JSON.stringify(definition.warnings)}, ${version.checksInput},
      ${JSON.stringify(version.resources)}, ${version.note ?? null}, ${at}, ${by})`.execute(executor)
}

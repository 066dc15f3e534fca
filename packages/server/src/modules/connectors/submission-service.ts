import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Tx } from '#platform/http/index.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { type CheckedDocument, pendingMax, type Proposal, type Submission, type SubmissionState } from './model.ts'
import {
  approvedNameIndex,
  countPending,
  findSubmission,
  insertSubmission,
  listSubmissions,
  lockSubmission,
  updateState,
} from './submission-store.ts'

export interface SubmissionsDeps {
  readonly now: () => number
  readonly newId: () => string
  /** Sees the proposals of every account. */
  readonly system: Kysely<Rows>
}

/** Who decides. */
export interface Decider {
  readonly accountId: string
  readonly isOperator: boolean
  readonly actor: string
  readonly ifMatch: readonly number[] | undefined
}

export interface Decision {
  readonly state: Exclude<SubmissionState, 'pending'>
  readonly reason: string | undefined
}

interface Page {
  readonly state: SubmissionState | undefined
  readonly before: string | undefined
  readonly limit: number
}

export type Submissions = ReturnType<typeof createSubmissions>

/** Proposals of connectors, and the decisions on them. */
export function createSubmissions({ now, newId, system }: SubmissionsDeps) {
  return {
    list: (tx: Tx, accountId: string, page: Page) => listSubmissions(tx, accountId, page),

    /** Those of every account; only for operators. */
    listAll: (page: Page) => listSubmissions(system, undefined, page),

    async create(
      tx: Tx,
      accountId: string,
      { proposal, checked }: { readonly proposal: Proposal; readonly checked: CheckedDocument },
      actor: string,
    ): Promise<Submission> {
      if ((await countPending(tx, accountId)) >= pendingMax)
        throw new Fault('conflict', {
          detail: `${pendingMax} proposals of the account are undecided. Withdraw one, or wait for a decision.`,
        })
      const id = newId()
      await insertSubmission(tx, accountId, { id, proposal, checked }, { at: new Date(now()), by: actor })
      const created = await findSubmission(tx, id)
      if (created === undefined) throw new Error(`the proposal ${id} was inserted and is not there`)
      return created
    },

    /** Decides in a transaction of its own, since an operator decides on rows of other accounts. */
    decide(who: Decider, id: string, decision: Decision): Promise<Submission> {
      return system.transaction().execute(async (tx) => {
        const before = await lockSubmission(tx, id)
        if (before === undefined || !(who.isOperator || before.accountId === who.accountId))
          throw new Fault('not_found', { detail: 'There is no such proposal.' })
        assertRevision('proposal', before.revision, who.ifMatch)
        assertDecision(before, decision, who)
        await refusingTakenNames(before.name, () => updateState(tx, id, decision, { at: new Date(now()), by: who.actor }))
        const after = await findSubmission(tx, id)
        if (after === undefined) throw new Error(`the proposal ${id} was updated and is not there`)
        return after
      })
    },
  }
}

/** States from which each decision is possible: a proposal that was rejected or withdrawn is proposed anew. */
const from: Readonly<Record<Decision['state'], readonly SubmissionState[]>> = {
  approved: ['pending'],
  rejected: ['pending', 'approved'],
  withdrawn: ['pending', 'approved'],
}

function assertDecision(before: Submission, { state, reason }: Decision, { accountId, isOperator }: Decider): void {
  if (state === 'withdrawn' && before.accountId !== accountId)
    throw new Fault('forbidden', { detail: 'Only the account that proposed a connector withdraws it. Reject it instead.' })
  if (state !== 'withdrawn' && !isOperator)
    throw new Fault('forbidden', { detail: 'Only an operator of the installation decides on a proposal.' })
  if (!from[state].includes(before.state))
    throw new Fault('conflict', { detail: `The proposal is ${before.state}; it can no longer be ${state}. Propose the connector again.` })
  if (state === 'rejected' && reason === undefined)
    throw new Fault('request_invalid', { errors: [{ pointer: '/reason', detail: 'Is required to reject a proposal.' }] })
}

async function refusingTakenNames(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    if (!(cause instanceof Error && 'constraint' in cause && cause.constraint === approvedNameIndex)) throw cause
    throw new Fault('conflict', { detail: `There is an approved connector with the name ${name} already. Reject that one first.`, cause })
  }
}

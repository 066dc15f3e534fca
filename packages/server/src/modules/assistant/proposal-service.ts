import { createHash } from 'node:crypto'
import { Fault, type Scope } from '@millrace/contract'
import type { Executions } from '#modules/executions/index.ts'
import type { createTriggers } from '#modules/triggers/index.ts'
import { readSchedule } from '#modules/triggers/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { draftMail } from './draft-mail.ts'
import {
  type Action,
  type EmailContent,
  type EmailDraft,
  type Owner,
  type Page,
  type Prepared,
  type Proposal,
  proposalLifeMs,
  type ProposedAction,
  waitingMax,
} from './model.ts'
import {
  countWaiting,
  decideDraft,
  decideProposal,
  insertDraft,
  insertProposal,
  listDrafts,
  listProposals,
  lockDraft,
  lockProposal,
} from './proposal-store.ts'

export interface ProposalsDeps {
  readonly database: Pick<Database, 'account'>
  readonly workflows: Pick<Workflows, 'latestNumber'>
  readonly executions: Pick<Executions, 'start' | 'control'>
  readonly triggers: Pick<ReturnType<typeof createTriggers>, 'create'>
  readonly mail: Mail
  readonly now: () => number
  readonly newId: () => string
}

/** The person who decides. */
export interface Decider extends Owner {
  readonly scopes: ReadonlySet<Scope>
  /** As `kind:id`. */
  readonly actor: string
}

export interface Confirmation {
  readonly id: string
  readonly digest: string
}

type Result = Readonly<Record<string, string>>

export type Proposals = ReturnType<typeof createProposals>

const scopesNeeded: Readonly<Record<ProposedAction['kind'], Scope>> = {
  'workflow.run': 'executions:run',
  'execution.cancel': 'executions:control',
  'execution.retry': 'executions:control',
  'schedule.create': 'triggers:write',
}

/** Keeps what the assistant proposes, and does it when its user confirms exactly that. */
export function createProposals(deps: ProposalsDeps) {
  const { database, mail } = deps
  const at = () => new Date(deps.now())

  /** @param summary what the action does, where its kind and its target do not say it. */
  async function prepare(owner: Decider, action: Action, conversationId: string | undefined, summary?: string): Promise<Prepared> {
    if (action.kind !== 'email.draft') {
      assertAllowed(owner, action)
      if (action.kind === 'schedule.create') await readSchedule(action.schedule, deps.now())
    }
    return database.account(owner.accountId, async (tx) => {
      if ((await countWaiting(tx, owner.accountId, owner.userId, at())) >= waitingMax)
        throw new Fault('conflict', { detail: `${waitingMax} proposals and drafts wait for you. Decide on some of them first.` })
      if (action.kind === 'email.draft') return { proposals: [], drafts: [await keepDraft(tx, owner, action, conversationId)] }
      const shown = await withVersion(tx, owner.accountId, action)
      return { proposals: [await keepProposal(tx, owner, shown, conversationId, summary)], drafts: [] }
    })
  }

  /** A run is of the version that its user was shown, also if another one is published before the confirmation. */
  async function withVersion(tx: Tx, accountId: string, action: ProposedAction): Promise<ProposedAction> {
    if (!('workflowId' in action)) return action
    const version = await deps.workflows.latestNumber(tx, accountId, idOf('wf', action.workflowId))
    if (action.kind !== 'workflow.run') return action
    if (version === undefined)
      throw new Fault('conflict', { detail: `The workflow ${action.workflowId} has no published version. Publish it first.` })
    return { ...action, version }
  }

  async function keepProposal(
    tx: Tx,
    owner: Owner,
    action: ProposedAction,
    conversationId: string | undefined,
    summary: string | undefined,
  ): Promise<Proposal> {
    const text = JSON.stringify(action)
    const createdAt = at()
    const proposal: Proposal = {
      id: deps.newId(),
      conversationId,
      kind: action.kind,
      summary: summary ?? summaryOf(action),
      action: text,
      digest: digestOf(text),
      state: 'pending',
      result: undefined,
      reason: undefined,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + proposalLifeMs),
      decidedAt: undefined,
    }
    await insertProposal(tx, owner, proposal)
    return proposal
  }

  async function keepDraft(tx: Tx, owner: Owner, content: EmailContent, conversationId: string | undefined): Promise<EmailDraft> {
    const { to, subject, body } = content
    const digest = digestOf(JSON.stringify([to, subject, body]))
    const rest = { state: 'draft', reason: undefined, decidedAt: undefined } as const
    const draft: EmailDraft = { id: deps.newId(), conversationId, to, subject, body, digest, createdAt: at(), ...rest }
    await insertDraft(tx, owner, draft)
    return draft
  }

  /** Locks a proposal that may be confirmed; one that was confirmed before is returned as well. */
  async function lockFor(tx: Tx, decider: Decider, { id, digest }: Confirmation): Promise<Proposal> {
    const proposal = known(await lockProposal(tx, decider, id))
    if (proposal.digest !== digest || digestOf(proposal.action) !== digest)
      throw new Fault('conflict', { detail: 'The digest is not that of the proposal. Show the proposal again before it is confirmed.' })
    if (proposal.state === 'rejected') throw new Fault('conflict', { detail: 'The proposal was rejected.' })
    if (proposal.state === 'failed')
      throw new Fault('conflict', { detail: `The proposal was confirmed and failed: ${proposal.reason ?? ''}` })
    if (proposal.state === 'pending' && proposal.expiresAt <= at())
      throw new Fault('conflict', { detail: 'The proposal has expired. Ask for it again.' })
    if (proposal.state !== 'done') assertAllowed(decider, actionOf(proposal))
    return proposal
  }

  /** Does what a proposal says. A repetition after a crash does nothing a second time. */
  async function perform(decider: Decider, proposal: Proposal): Promise<Result> {
    const { accountId, actor } = decider
    const action = actionOf(proposal)
    if (action.kind === 'workflow.run') {
      const { id } = await deps.executions.start(undefined, {
        accountId,
        workflowId: idOf('wf', action.workflowId),
        version: action.version,
        input: action.input ?? {},
        origin: { kind: 'api', id: actor },
        idempotencyKey: { value: `assistant:${proposal.id}`, operation: 'assistant.confirm' },
      })
      return { executionId: toTypeId('exec', id) }
    }
    if (action.kind === 'execution.cancel') {
      await deps.executions.control.cancel(accountId, idOf('exec', action.executionId))
      return { executionId: action.executionId }
    }
    if (action.kind === 'execution.retry') {
      const command = { actor, input: undefined, version: undefined }
      const { id } = await deps.executions.control.retry(accountId, idOf('exec', action.executionId), command)
      return { executionId: toTypeId('exec', id) }
    }
    throw new Fault('conflict', { detail: 'This proposal is a schedule. Confirm it by schedule/confirm.' })
  }

  async function confirm(decider: Decider, confirmation: Confirmation): Promise<Proposal> {
    const { accountId } = decider
    const { proposal, again } = await database.account(accountId, async (tx) => {
      const found = await lockFor(tx, decider, confirmation)
      if (found.kind === 'schedule.create' || found.state !== 'pending') return { proposal: found, again: true }
      return { proposal: await decideProposal(tx, decider, { id: found.id, state: 'confirmed', at: at() }), again: false }
    })
    if (proposal.state === 'done') return proposal
    try {
      return await settle(decider, proposal.id, 'done', { result: await perform(decider, proposal) })
    } catch (error) {
      if (!(error instanceof Fault) || proposal.kind === 'schedule.create') throw error
      const result = again ? earlierResult(error, actionOf(proposal)) : undefined
      const settled = await settle(decider, proposal.id, result === undefined ? 'failed' : 'done', { result, reason: error.message })
      if (settled.state === 'done') return settled
      throw error
    }
  }

  /** Records the end of an action; a success that is recorded already stays. */
  function settle(
    decider: Decider,
    id: string,
    state: 'done' | 'failed',
    more: { readonly result: Result | undefined; readonly reason?: string },
  ) {
    return database.account(decider.accountId, async (tx) => {
      const proposal = known(await lockProposal(tx, decider, id))
      if (proposal.state === 'done') return proposal
      const { result, reason } = more
      return decideProposal(tx, decider, { id, state, ...(state === 'done' ? { result } : { reason }), at: at() })
    })
  }

  return {
    prepare,
    confirm,

    async confirmSchedule(
      tx: Tx,
      decider: Decider,
      confirmation: Confirmation,
    ): Promise<{ readonly proposal: Proposal; readonly triggerId: string }> {
      const proposal = await lockFor(tx, decider, confirmation)
      const action = actionOf(proposal)
      if (action.kind !== 'schedule.create')
        throw new Fault('conflict', { detail: 'This proposal is no schedule. Confirm it by agent/confirm.' })
      const made = proposal.result?.['triggerId']
      if (made !== undefined) return { proposal, triggerId: made }
      const { workflowId, name, schedule, input } = action
      const none = {
        mapping: undefined,
        filter: undefined,
        webhook: undefined,
        eventTypes: undefined,
        workflowIds: undefined,
        watch: undefined,
      }
      const wanted = { kind: 'schedule' as const, workflowId: idOf('wf', workflowId), name, enabled: true, input, schedule, ...none }
      const { trigger } = await deps.triggers.create(tx, decider.accountId, wanted, decider.actor)
      const triggerId = toTypeId('trg', trigger.id)
      return { proposal: await decideProposal(tx, decider, { id: proposal.id, state: 'done', result: { triggerId }, at: at() }), triggerId }
    },

    async reject(tx: Tx, owner: Owner, id: string, reason: string | undefined): Promise<Proposal> {
      const proposal = known(await lockProposal(tx, owner, id))
      if (proposal.state === 'rejected') return proposal
      if (proposal.state !== 'pending') throw new Fault('conflict', { detail: 'The proposal was confirmed before.' })
      return decideProposal(tx, owner, { id, state: 'rejected', reason, at: at() })
    },

    list: (tx: Tx, owner: Owner, page: Page & { readonly conversationId: string | undefined }) => listProposals(tx, owner, page),
    drafts: (tx: Tx, owner: Owner, page: Page & { readonly state: EmailDraft['state'] | undefined }) => listDrafts(tx, owner, page),

    /** Hands a draft to the mailer in the transaction that marks it as sent. Call `mail.prepare` before the transaction. */
    async approveDraft(tx: Tx, owner: Owner, id: string, digest: string | undefined): Promise<EmailDraft> {
      const draft = await waitingDraft(tx, owner, id)
      if (digest !== undefined && digest !== draft.digest)
        throw new Fault('conflict', { detail: 'The digest is not that of the draft. Show the draft again before it is sent.' })
      if (!mail.isAvailable) throw new Fault('mail_unavailable')
      for (const to of new Set(draft.to))
        await mail.send(tx, {
          accountId: owner.accountId,
          to,
          template: draftMail,
          locale: 'en',
          data: { subject: draft.subject, body: draft.body },
          isOfUsers: true,
        })
      await decideDraft(tx, owner.accountId, { id, state: 'sent', at: at() })
      return { ...draft, state: 'sent', decidedAt: at() }
    },

    async rejectDraft(tx: Tx, owner: Owner, id: string, reason: string): Promise<EmailDraft> {
      const draft = await waitingDraft(tx, owner, id)
      await decideDraft(tx, owner.accountId, { id, state: 'rejected', reason, at: at() })
      return { ...draft, state: 'rejected', reason, decidedAt: at() }
    },
  }
}

function known(proposal: Proposal | undefined): Proposal {
  if (proposal === undefined) throw new Fault('not_found', { detail: 'There is no such proposal of yours.' })
  return proposal
}

async function waitingDraft(tx: Tx, owner: Owner, id: string): Promise<EmailDraft> {
  const draft = await lockDraft(tx, owner, id)
  if (draft === undefined) throw new Fault('not_found', { detail: 'There is no such draft of yours.' })
  if (draft.state !== 'draft') throw new Fault('conflict', { detail: `The draft was ${draft.state} before.` })
  return draft
}

/** The result of an action that an earlier confirmation did before its process died, by the Fault of doing it again. */
function earlierResult({ code, details }: Fault, action: ProposedAction): Result | undefined {
  if (code === 'execution_ended' && action.kind === 'execution.cancel') return { executionId: action.executionId }
  const retriedBy = details.extensions?.['retriedBy']
  return code === 'execution_retried' && typeof retriedBy === 'string' ? { executionId: retriedBy } : undefined
}

function assertAllowed({ scopes }: Decider, action: ProposedAction): void {
  const scope = scopesNeeded[action.kind]
  if (!scopes.has(scope)) throw new Fault('insufficient_scope', { detail: `You lack the scope ${scope} that this action needs.` })
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above from an action, and its digest was checked.
const actionOf = ({ action }: Proposal) => JSON.parse(action) as ProposedAction

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

function summaryOf(action: ProposedAction): string {
  switch (action.kind) {
    case 'workflow.run':
      return `Run the workflow ${action.workflowId}.`
    case 'execution.cancel':
      return `Cancel the execution ${action.executionId}.`
    case 'execution.retry':
      return `Retry the execution ${action.executionId}.`
    case 'schedule.create':
      return `Schedule the workflow ${action.workflowId} as "${action.name}".`
  }
}

import { Fault, hasRole, type Role } from '@millrace/contract'
import { hasExecution } from '@millrace/engine/storage'
import type { AccountFile, AccountFiles } from '#modules/files/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { type Approver, planOf, stageAt } from './approval-plan.ts'
import { stateOf } from './approval-state.ts'
import {
  type Executor,
  findApproval,
  listApprovals,
  listDecidable,
  listOfExecution,
  type ListOptions,
  listUndecidable,
} from './approval-store.ts'
import { findDecisions } from './deciding/decision-store.ts'
import { type HandOver, handOver } from './deciding/hand-over.ts'
import { type Obstacle, obstacleOf } from './deciding/obstacle-of.ts'
import { reassign, type ReassignRequest } from './deciding/reassign.ts'
import { recordDecision } from './deciding/record-decision.ts'
import { approverKeyFor, isSamePerson, keysOf } from './deciding/verdict.ts'
import { recordPendingApprovers } from './lifecycle/record-approvers.ts'
import { type ResumeDeps, resumeDelayMs, resumeExecution } from './lifecycle/resume-execution.ts'
import { hashOfToken, isToken } from './mail/link-token.ts'
import { findLink, findMails } from './mail/mail-store.ts'
import type { Approval, ApprovalLink, ApprovalRecord, GivenDecision, LinkContent, Person } from './model.ts'
import { namedFiles } from './named-files.ts'
import { findByAddress, findExcluded, findPeople, findUser } from './people-store.ts'

export interface ApprovalsDeps {
  readonly database: Pick<Database, 'system' | 'account'>
  readonly engine: ResumeDeps['engine']
  readonly files: Pick<AccountFiles, 'ofExecution'>
  readonly now: () => Date
  readonly newId: () => string
}

/** A signed-in user. */
export interface Caller {
  readonly userId: string
  readonly role: Role
}

/** Which approvals are listed. */
interface Selection {
  readonly whose: 'me' | 'all' | 'unassigned'
  /** The id of a user. */
  readonly onlyBy: string | undefined
}

export type Approvals = ReturnType<typeof createApprovals>

/** Lists approvals and records decisions. */
export function createApprovals({ database, engine, files, now, newId }: ApprovalsDeps) {
  const decisionDeps = { now, newId, resumeDelayMs }

  async function linkOf(token: string): Promise<ApprovalLink> {
    const link = isToken(token) ? await findLink(database.system, hashOfToken(token)) : undefined
    if (link === undefined) throw linkNotFound()
    return link
  }

  return {
    /** The approvals that the caller can decide; all of the account, and those that no person or one user alone can decide, are for administrators. */
    async list(tx: Executor, accountId: string, caller: Caller, options: ListOptions & Selection) {
      const { whose, onlyBy } = options
      if (whose !== 'me' || onlyBy !== undefined) {
        if (!hasRole(caller.role, 'admin'))
          throw new Fault('insufficient_role', { detail: `This needs the role admin; yours is ${caller.role}.` })
        if (whose === 'all' && onlyBy === undefined) return listApprovals(tx, accountId, options)
      }
      await recordPendingApprovers(tx, accountId, now())
      if (onlyBy !== undefined) {
        const member = await findUser(tx, accountId, onlyBy)
        return member === undefined ? [] : listUndecidable(tx, accountId, options, { userId: onlyBy, ...keysOf(member) })
      }
      if (whose === 'unassigned') return listUndecidable(tx, accountId, options, undefined)
      const person = await findUser(tx, accountId, caller.userId)
      if (person === undefined) return []
      return listDecidable(tx, accountId, { userId: caller.userId, ...keysOf(person) }, options)
    },

    async ofExecution(tx: Executor, accountId: string, executionId: string, options: ListOptions): Promise<readonly ApprovalRecord[]> {
      if (!(await hasExecution(tx, accountId, executionId))) throw new Fault('not_found', { detail: 'There is no such execution.' })
      return recordsOf(tx, accountId, await listOfExecution(tx, accountId, executionId, options))
    },

    /** Records the decision of a signed-in user. After the commit the caller calls `resumeExecution`. */
    async decide(
      tx: Executor,
      accountId: string,
      caller: Caller,
      { executionId, approvalId, given }: { readonly executionId: string; readonly approvalId: string; readonly given: GivenDecision },
    ): Promise<ApprovalRecord> {
      const person = await findUser(tx, accountId, caller.userId)
      const request = { approvalId, executionId, person, given, via: 'api', mailId: undefined } as const
      return recordOf(tx, await recordDecision(tx, accountId, request, decisionDeps))
    },

    /** The ids of those of the approvals that the caller can still decide. */
    async decidableBy(tx: Executor, accountId: string, caller: Caller, records: readonly ApprovalRecord[]): Promise<ReadonlySet<string>> {
      const person = await findUser(tx, accountId, caller.userId)
      const found = new Set<string>()
      for (const record of records) if (person !== undefined && (await mayDecide(tx, record, person, now()))) found.add(record.approval.id)
      return found
    },

    /**
     * Why people cannot approve approvals, by id of those that they cannot.
     * @param sendsMail whether the installation sends mails, and with them links to people from outside.
     */
    async obstacles(
      tx: Executor,
      accountId: string,
      records: readonly ApprovalRecord[],
      sendsMail: boolean,
    ): Promise<ReadonlyMap<string, Obstacle>> {
      const found = new Map<string, Obstacle>()
      // Most approvals of a list have the same approvers.
      const known = new Map<string, Promise<readonly Person[]>>()
      const peopleOf = (approvers: readonly Approver[]) => {
        const named = JSON.stringify(approvers.map(({ key, label }) => [key, label]))
        const people = known.get(named) ?? findPeople(tx, accountId, approvers)
        known.set(named, people)
        return people
      }
      for (const record of records) {
        const obstacle = await obstacleOf(tx, record, { now: now(), sendsMail, peopleOf })
        if (obstacle !== undefined) found.set(record.approval.id, obstacle)
      }
      return found
    },

    /** The files that the details of approvals name, by id of the approval. */
    files: (tx: Tx, approvals: readonly Approval[]) => namedFiles(tx, files, approvals),

    /** A file that the details of an approval name. Fault `not_found`. */
    async file(tx: Tx, accountId: string, { executionId, approvalId, fileId }: NamedFile): Promise<AccountFile> {
      const approval = await findApproval(tx, accountId, approvalId)
      if (approval === undefined || approval.executionId !== executionId) throw noSuchApproval()
      return fileIn((await namedFiles(tx, files, [approval])).get(approvalId), fileId)
    },

    /** A file that a link shows: as long as its recipient is asked. Fault `not_found`. */
    async linkedFile(token: string, fileId: string): Promise<{ readonly file: AccountFile; readonly content: LinkContent }> {
      const link = await linkOf(token)
      const content = await database.account(link.accountId, async (tx) => contentOf(tx, link, { files, now: now() }))
      return { file: fileIn(content.files, fileId), content }
    },

    /** Lets a user decide in place of approvers. */
    async reassign(tx: Executor, accountId: string, request: ReassignRequest) {
      const { approval, replaced } = await reassign(tx, accountId, request, now())
      return { record: await recordOf(tx, approval), replaced }
    },

    /** Lets a user decide what waits for another one alone, whom `remove` removes. */
    handOver: (tx: Executor, accountId: string, users: HandOver, remove: () => Promise<void>) =>
      handOver(tx, accountId, { ...users, now: now() }, remove),

    /** Resumes the execution of an approval that has a verdict. */
    resumeExecution: (approvalId: string) => resumeExecution({ db: database.system, engine, now: () => now().getTime() }, approvalId),

    /** Reads the approval behind a link without using up the link. */
    async show(token: string): Promise<LinkContent> {
      const link = await linkOf(token)
      return database.account(link.accountId, async (tx) => contentOf(tx, link, { files, now: now() }))
    },

    /** Records the decision of the recipient of a link. A link works once. */
    async decideByLink(token: string, given: GivenDecision): Promise<LinkContent> {
      const link = await linkOf(token)
      const { accountId, approvalId, mailId } = link
      return database.account(accountId, async (tx) => {
        const person = await recipientOf(tx, link)
        await recordDecision(tx, accountId, { approvalId, executionId: undefined, person, given, via: 'link', mailId }, decisionDeps)
        return contentOf(tx, link, { files, now: now() })
      })
    },
  }
}

async function mayDecide(tx: Executor, { approval, decisions }: ApprovalRecord, person: Person, now: Date): Promise<boolean> {
  const plan = planOf(approval)
  if (approval.state !== 'open' || !approval.isAwaited || decisions.some((decision) => isSamePerson(decision.person, person))) return false
  if (approverKeyFor(person, stageAt(plan, now), decisions) === undefined) return false
  if (!plan.excludeStarter || person.userId === undefined) return true
  return !(await findExcluded(tx, approval)).includes(person.userId)
}

interface NamedFile {
  readonly executionId: string
  readonly approvalId: string
  readonly fileId: string
}

function fileIn(files: readonly AccountFile[] | undefined, fileId: string): AccountFile {
  const file = files?.find(({ id }) => id === fileId)
  if (file === undefined) throw new Fault('not_found', { detail: 'The approval names no such file.' })
  return file
}

function noSuchApproval(): Fault {
  return new Fault('not_found', { detail: 'There is no such approval.' })
}

function linkNotFound(): Fault {
  return new Fault('not_found', { detail: 'This link does not exist or has expired.' })
}

/** A link that was sent to a user stays that user's, also after the address has passed to another person. */
function recipientOf(tx: Executor, { accountId, userId, email, name }: ApprovalLink): Promise<Person | undefined> {
  return userId === undefined ? findByAddress(tx, accountId, { email, name }) : findUser(tx, accountId, userId)
}

/**
 * What a link shows at a time. Fault `not_found` for a recipient who was removed or is no approver any more: they may see neither the question nor its
 * title.
 */
async function contentOf(
  tx: Tx,
  link: ApprovalLink,
  { files, now }: { readonly files: Pick<AccountFiles, 'ofExecution'>; readonly now: Date },
): Promise<LinkContent> {
  const approval = await findApproval(tx, link.accountId, link.approvalId)
  const person = await recipientOf(tx, link)
  if (approval === undefined || person === undefined) throw linkNotFound()
  const { decisions } = await recordOf(tx, approval)
  const decision = decisions.find((one) => isSamePerson(one.person, person) || one.mailId === link.mailId)
  const stage = stageAt(planOf(approval), approval.endedAt ?? now)
  if (decision === undefined && approverKeyFor(person, stage, decisions) === undefined) throw linkNotFound()
  const isAsked = stateOf(approval) === 'open' && decision === undefined
  const named = isAsked ? await namedFiles(tx, files, [approval]) : undefined
  return { link, approval, decision, isAsked, files: named?.get(approval.id) ?? [] }
}

async function recordsOf(tx: Executor, accountId: string, approvals: readonly Approval[]): Promise<readonly ApprovalRecord[]> {
  const ids = approvals.map(({ id }) => id)
  const decisions = await findDecisions(tx, accountId, ids)
  const mails = await findMails(tx, accountId, ids)
  return approvals.map((approval) => ({ approval, decisions: decisions.get(approval.id) ?? [], mails: mails.get(approval.id) ?? [] }))
}

async function recordOf(tx: Executor, approval: Approval): Promise<ApprovalRecord> {
  const [record = { approval, decisions: [], mails: [] }] = await recordsOf(tx, approval.accountId, [approval])
  return record
}

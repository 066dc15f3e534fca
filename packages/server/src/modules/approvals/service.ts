import { Fault, hasRole, type Role } from '@millrace/contract'
import type { Database } from '#platform/db/database.ts'
import { recordAnswer } from './answer.ts'
import { findAnswers } from './answer-store.ts'
import { noteUntold } from './ask.ts'
import { handOver, type HandOverDeps, handOverMs } from './hand-over.ts'
import { hashOfToken, isToken } from './link.ts'
import { findLink, findMails } from './mail-store.ts'
import type { Approval, ApprovalRecord, LinkOwner, Person, Shown, Verdict } from './model.ts'
import { findByAddress, findUser } from './people-store.ts'
import { type Executor, findApproval, hasExecution, listApprovals, listAsked, listOfExecution, type ListOptions } from './store.ts'
import { keysOf } from './tally.ts'

export interface ApprovalsDeps {
  readonly database: Pick<Database, 'system' | 'account'>
  readonly engine: HandOverDeps['engine']
  readonly now: () => Date
  readonly newId: () => string
}

/** A signed-in user. */
export interface Caller {
  readonly userId: string
  readonly role: Role
}

export type Approvals = ReturnType<typeof createApprovals>

/** What people are asked by waiting tasks, and their answers. */
export function createApprovals({ database, engine, now, newId }: ApprovalsDeps) {
  const answerDeps = { now, newId, handOverMs }

  async function linkOf(token: string): Promise<LinkOwner> {
    const link = isToken(token) ? await findLink(database.system, hashOfToken(token)) : undefined
    if (link === undefined) throw new Fault('not_found', { detail: 'There is no such link, or what it asked is kept no longer.' })
    return link
  }

  return {
    /** What the caller can answer, or with `everybody` all of the account, which is for administrators. */
    async list(tx: Executor, accountId: string, caller: Caller, options: ListOptions & { readonly everybody: boolean }) {
      if (options.everybody) {
        if (!hasRole(caller.role, 'admin'))
          throw new Fault('insufficient_role', { detail: `This needs the role admin; yours is ${caller.role}.` })
        return listApprovals(tx, accountId, options)
      }
      await noteUntold(tx, accountId, now())
      const person = await findUser(tx, accountId, caller.userId)
      if (person === undefined) return []
      return listAsked(tx, accountId, { userId: caller.userId, personKey: person.key, keys: keysOf(person) }, options)
    },

    async ofExecution(tx: Executor, accountId: string, executionId: string, options: ListOptions): Promise<readonly ApprovalRecord[]> {
      if (!(await hasExecution(tx, accountId, executionId))) throw new Fault('not_found', { detail: 'There is no such execution.' })
      return withAnswers(tx, accountId, await listOfExecution(tx, accountId, executionId, options))
    },

    /** Takes the answer of a signed-in user. The caller hands over what is decided, once it is committed. */
    async answer(
      tx: Executor,
      accountId: string,
      caller: Caller,
      { executionId, approvalId, verdict }: { readonly executionId: string; readonly approvalId: string; readonly verdict: Verdict },
    ): Promise<ApprovalRecord> {
      const person = await findUser(tx, accountId, caller.userId)
      const approval = await recordAnswer(
        tx,
        accountId,
        { approvalId, executionId, person, verdict, via: 'api', mailId: undefined },
        answerDeps,
      )
      return recordOf(tx, approval)
    },

    handOver: (approvalId: string) => handOver({ db: database.system, engine }, approvalId),

    /** What a link shows; nothing happens to it. */
    async show(token: string): Promise<Shown> {
      const link = await linkOf(token)
      return database.account(link.accountId, async (tx) => shown(tx, link))
    },

    /** Takes the answer of whoever has a link, which works once. */
    async answerByLink(token: string, verdict: Verdict): Promise<Shown> {
      const link = await linkOf(token)
      const { accountId, approvalId, mailId } = link
      return database.account(accountId, async (tx) => {
        const person = await ownerOf(tx, link)
        await recordAnswer(tx, accountId, { approvalId, executionId: undefined, person, verdict, via: 'link', mailId }, answerDeps)
        return shown(tx, link)
      })
    },
  }
}

/** A link that was sent to a user is theirs, whoever has the address by now. */
function ownerOf(tx: Executor, { accountId, userId, email, name }: LinkOwner): Promise<Person | undefined> {
  return userId === undefined ? findByAddress(tx, accountId, { email, name }) : findUser(tx, accountId, userId)
}

async function shown(tx: Executor, link: LinkOwner): Promise<Shown> {
  const approval = await findApproval(tx, link.accountId, link.approvalId)
  if (approval === undefined) throw new Fault('not_found', { detail: 'There is no such link, or what it asked is kept no longer.' })
  const person = await ownerOf(tx, link)
  const { answers } = await recordOf(tx, approval)
  return { link, approval, answer: answers.find(({ person: { key }, mailId }) => key === person?.key || mailId === link.mailId) }
}

async function withAnswers(tx: Executor, accountId: string, approvals: readonly Approval[]): Promise<readonly ApprovalRecord[]> {
  const ids = approvals.map(({ id }) => id)
  const answers = await findAnswers(tx, accountId, ids)
  const mails = await findMails(tx, accountId, ids)
  return approvals.map((approval) => ({ approval, answers: answers.get(approval.id) ?? [], mails: mails.get(approval.id) ?? [] }))
}

async function recordOf(tx: Executor, approval: Approval): Promise<ApprovalRecord> {
  const [record = { approval, answers: [], mails: [] }] = await withAnswers(tx, approval.accountId, [approval])
  return record
}

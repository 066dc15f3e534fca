import { mailKeyOf, planOf, type Stage } from '#modules/approvals/approval-plan.ts'
import type { Executor } from '#modules/approvals/approval-store.ts'
import { findDecisions } from '#modules/approvals/deciding/decision-store.ts'
import { isSamePerson } from '#modules/approvals/deciding/verdict.ts'
import { type Approval, type Person, waitingGroupOf, waitingKind } from '#modules/approvals/model.ts'
import { findPeople } from '#modules/approvals/people-store.ts'
import { notify } from '#modules/notifications/index.ts'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import { hashOfToken, mintToken } from './link-token.ts'
import { toTypeId } from '#platform/ids.ts'
import { findMails, insertMails, type NewMail } from './mail-store.ts'

export interface InviteDeps {
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  readonly box: SecretBox
  /** Whether the installation sends mails. */
  readonly mails: boolean
}

export interface Invitation {
  readonly stage: Stage
  /** The index of the stage in its plan. */
  readonly number: number
  readonly excludedUserIds: readonly string[]
  readonly now: Date
}

const notConfigured = 'This installation sends no mail: MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM are not set.'

/**
 * Inserts the mails of a stage, in the transaction that begins the stage: links for the new approvers, and notices for `notify`. Approvers who
 * are users are notified as well.
 */
export async function invite(tx: Executor, approval: Approval, invitation: Invitation, deps: InviteDeps): Promise<void> {
  const { stage, number, now } = invitation
  const { accountId, id: approvalId } = approval
  const schedule = deps.mails ? { nextAttemptAt: now, failure: undefined } : { nextAttemptAt: undefined, failure: notConfigured }
  const mailOf = ({ email, name, userId }: Pick<Person, 'email' | 'name' | 'userId'>, kind: NewMail['kind']): NewMail => {
    const id = deps.newId()
    const token = kind === 'link' && deps.mails ? tokenFor(id, deps) : undefined
    return { id, approvalId, step: number, kind, email, name, userId, token, ...schedule }
  }
  const invitees = await findInvitees(tx, approval, invitation)
  const links = invitees.map((person) => mailOf(person, 'link'))
  const notices = stage.notify.map(({ address, name }) => mailOf({ email: mailKeyOf(address), name, userId: undefined }, 'notice'))
  await insertMails(tx, accountId, [...links, ...notices])
  await notify(tx, {
    accountId,
    userIds: invitees.flatMap(({ userId }) => userId ?? []),
    kind: waitingKind,
    title: `Waiting for your decision: ${planOf(approval).title}`,
    link: `/approvals/${toTypeId('apr', approvalId)}`,
    groupKey: waitingGroupOf(approvalId),
  })
}

/** The new approvers of the stage who may decide, have not decided, and have no link yet. */
async function findInvitees(tx: Executor, approval: Approval, { stage, excludedUserIds }: Invitation): Promise<readonly Person[]> {
  const { accountId, id } = approval
  const people = await findPeople(tx, accountId, stage.newApprovers)
  const mails = (await findMails(tx, accountId, [id])).get(id) ?? []
  const invited = new Set(mails.flatMap(({ kind, email }) => (kind === 'link' ? email : [])))
  const decided = ((await findDecisions(tx, accountId, [id])).get(id) ?? []).map(({ person }) => person)
  return people.filter(
    (person) =>
      !invited.has(person.email) &&
      !decided.some((one) => isSamePerson(one, person)) &&
      (person.userId === undefined || !excludedUserIds.includes(person.userId)),
  )
}

function tokenFor(mailId: string, { randomBytes, box }: InviteDeps): NonNullable<NewMail['token']> {
  const token = mintToken(randomBytes)
  return { hash: hashOfToken(token), sealed: box.seal(Buffer.from(token), mailId) }
}

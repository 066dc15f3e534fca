import type { SecretBox } from '#platform/auth/secret-box.ts'
import { findAnswers } from './answer-store.ts'
import { hashOfToken, mintToken } from './link.ts'
import { findMails, insertMails, type NewMail } from './mail-store.ts'
import type { Approval, Person } from './model.ts'
import { findPeople } from './people-store.ts'
import { mailKeyOf, type Step } from './plan.ts'
import type { Executor } from './store.ts'

export interface InviteDeps {
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  readonly box: SecretBox
  /** Whether the installation sends mails. */
  readonly mails: boolean
}

const notConfigured = 'This installation sends no mail: MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM are not set.'

/** Puts down the mails of a step, in the transaction that takes it: to those who are asked from now on, and to those who are told. */
export async function invite(
  tx: Executor,
  approval: Approval,
  { step, number, barred, now }: { readonly step: Step; readonly number: number; readonly barred: readonly string[]; readonly now: Date },
  deps: InviteDeps,
): Promise<void> {
  const { accountId, id: approvalId } = approval
  const people = await findPeople(tx, accountId, step.added)
  const before = new Set(
    ((await findMails(tx, accountId, [approvalId])).get(approvalId) ?? []).flatMap(({ kind, email }) => (kind === 'link' ? email : [])),
  )
  const answered = new Set(((await findAnswers(tx, accountId, [approvalId])).get(approvalId) ?? []).map(({ person }) => person.key))
  const asked = people.filter(
    ({ key, email, userId }) => !before.has(email) && !answered.has(key) && (userId === undefined || !barred.includes(userId)),
  )
  const when = deps.mails ? { nextAttemptAt: now, failure: undefined } : { nextAttemptAt: undefined, failure: notConfigured }
  const mailOf = ({ email, name, userId }: Pick<Person, 'email' | 'name' | 'userId'>, kind: NewMail['kind']): NewMail => {
    const id = deps.newId()
    const token = kind === 'link' && deps.mails ? tokenFor(id, deps) : undefined
    return { id, approvalId, step: number, kind, email, name, userId, token, ...when }
  }
  const told = step.notify.map(({ address, name }) => mailOf({ email: mailKeyOf(address), name, userId: undefined }, 'notice'))
  await insertMails(tx, accountId, [...asked.map((person) => mailOf(person, 'link')), ...told])
}

function tokenFor(mailId: string, { randomBytes, box }: InviteDeps): NonNullable<NewMail['token']> {
  const token = mintToken(randomBytes)
  return { hash: hashOfToken(token), sealed: box.seal(Buffer.from(token), mailId) }
}

import { parseMailbox } from '#platform/mail/mailbox.ts'
import type { MailMessage } from '#platform/mail/mailer.ts'
import type { DueMail } from './mail-store.ts'
import { planOf } from '#modules/approvals/approval-plan.ts'

const detailsMax = 10_000
const consequences = { approve: 'it will be approved', reject: 'it will be rejected', fail: 'the task fails with a timeout error' } as const

/** Composes the mail: with a link for an approver, without one for a recipient of `notify`. */
export function messageOf(mail: DueMail, link: string | undefined): MailMessage {
  const plan = planOf(mail)
  const { title, description, deadlineAt, onDeadline } = plan
  const parts = [
    link === undefined ? `There is no decision yet: ${title}` : `Your approval is needed: ${title}`,
    mail.workflow === undefined ? undefined : `Workflow: ${mail.workflow}`,
    description,
    plan.details === undefined ? undefined : shortened(JSON.stringify(plan.details, undefined, 2)),
    deadlineAt === undefined ? undefined : `Without a decision until ${deadlineAt.toISOString()} ${consequences[onDeadline]}.`,
    link === undefined
      ? undefined
      : `${link}\n\nThe link is for you alone and can be answered once: do not pass this mail on. Opening it decides nothing.`,
  ]
  const to = parseMailbox(mail.email) ?? { name: undefined, address: mail.email }
  return {
    // The same in every attempt, so that a recipient's mail program recognises a duplicate.
    key: `approval-${mail.id}`,
    accountId: mail.accountId,
    to: [{ name: mail.name?.replaceAll(/\p{Cc}/gu, ' '), address: to.address }],
    subject: `${link === undefined ? 'Not decided yet' : 'Approval needed'}: ${title}`,
    text: parts.filter((part) => part !== undefined && part !== '').join('\n\n'),
  }
}

function shortened(text: string): string {
  return text.length <= detailsMax ? text : `${text.slice(0, detailsMax).toWellFormed()}\n… (more behind the link)`
}

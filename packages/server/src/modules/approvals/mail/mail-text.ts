import type { Json } from '@millrace/engine'
import { planOf } from '#modules/approvals/approval-plan.ts'
import { parseMailbox } from '#platform/mail/mailbox.ts'
import type { MailMessage } from '#platform/mail/mailer.ts'
import { composeMail, type MailBlock, type MailLocale } from '#platform/mail/templates/compose-mail.ts'
import { type MailReader, mailReaderOf, mailTime } from '#platform/mail/templates/mail-time.ts'
import { detailFacts } from './detail-facts.ts'
import type { DueMail } from './mail-store.ts'

const charactersMax = 10_000

interface Words {
  readonly needed: string
  readonly undecided: string
  readonly escalated: string
  readonly workflow: string
  readonly more: string
  readonly open: string
  readonly openRun: string
  readonly personal: string
  readonly signIn: string
  readonly needs: (title: string) => string
  readonly waits: (title: string) => string
  readonly deadline: Readonly<Record<'approve' | 'reject' | 'fail', (time: string) => string>>
}

const words: Readonly<Record<MailLocale, Words>> = {
  en: {
    needed: 'Approval needed',
    undecided: 'Not decided yet',
    escalated: 'The people who were asked before have not decided.',
    workflow: 'Workflow',
    more: '… (more behind the link)',
    open: 'Open the question',
    openRun: 'Open the run',
    personal: 'The link is for you alone and can be answered once: do not pass this mail on. Opening it decides nothing.',
    signIn: 'For users of the account: the page asks you to sign in.',
    needs: (title) => `Your approval is needed: ${title}`,
    waits: (title) => `There is no decision yet: ${title}`,
    deadline: {
      approve: (time) => `Without a decision until ${time} it will be approved.`,
      reject: (time) => `Without a decision until ${time} it will be rejected.`,
      fail: (time) => `Without a decision until ${time} the task fails with a timeout error.`,
    },
  },
  ar: {
    needed: 'موافقة مطلوبة',
    undecided: 'لم يُتخذ قرار بعد',
    escalated: 'لم يقرر من سُئلوا من قبل.',
    workflow: 'سير العمل',
    more: '… (المزيد خلف الرابط)',
    open: 'فتح السؤال',
    openRun: 'فتح التشغيل',
    personal: 'هذا الرابط لك وحدك ويُجاب عنه مرة واحدة: لا تُعِد إرسال هذه الرسالة. فتحه لا يقرر شيئًا.',
    signIn: 'لمستخدمي الحساب: تطلب الصفحة تسجيل الدخول.',
    needs: (title) => `موافقتك مطلوبة: ${title}`,
    waits: (title) => `لا قرار بعد: ${title}`,
    deadline: {
      approve: (time) => `إن لم يُتخذ قرار حتى ${time} فستُعدّ موافَقًا عليها.`,
      reject: (time) => `إن لم يُتخذ قرار حتى ${time} فستُعدّ مرفوضة.`,
      fail: (time) => `إن لم يُتخذ قرار حتى ${time} فستفشل المهمة بخطأ انتهاء المهلة.`,
    },
  },
}

/** Where a mail leads. */
export interface MailLinks {
  /** To decide; undefined for a recipient of `notify`. */
  readonly decide: string | undefined
  /** To the run, for users of the account. */
  readonly run: string
}

/** Composes the mail in the language and the time zone of its recipient: with a personal link for an approver, with one to the run for `notify`. */
export function messageOf(mail: DueMail, { decide, run }: MailLinks): MailMessage {
  const { title, description, details, deadlineAt, onDeadline } = planOf(mail)
  const reader = mailReaderOf(mail)
  const { locale } = reader
  const w = words[locale]
  const to = parseMailbox(mail.email) ?? { name: undefined, address: mail.email }
  const blocks: readonly MailBlock[] = [
    { paragraph: decide === undefined ? w.waits(title) : w.needs(title) },
    ...(decide !== undefined && mail.step > 0 ? [{ paragraph: w.escalated }] : []),
    ...(mail.workflow === undefined ? [] : [{ facts: [[w.workflow, mail.workflow]] as const }]),
    ...paragraphsOf(description),
    ...(details === undefined ? [] : detailBlocks(details, reader, w.more)),
    ...(deadlineAt === undefined ? [] : [{ paragraph: w.deadline[onDeadline](mailTime(deadlineAt, reader)) }]),
    { link: decide === undefined ? { label: w.openRun, url: run } : { label: w.open, url: decide } },
    { paragraph: decide === undefined ? w.signIn : w.personal },
  ]
  return {
    // The same in every attempt, so that a recipient's mail program recognises a duplicate.
    key: `approval-${mail.id}`,
    accountId: mail.accountId,
    to: [{ name: mail.name?.replaceAll(/\p{Cc}/gu, ' '), address: to.address }],
    ...composeMail(locale, { subject: `${decide === undefined ? w.undecided : w.needed}: ${title}`, blocks }),
  }
}

function paragraphsOf(text: string | undefined): readonly MailBlock[] {
  return (text ?? '')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({ paragraph }))
}

/** The fields that fit; what a mail leaves out is behind its link. */
function detailBlocks(details: Json, reader: MailReader, more: string): readonly MailBlock[] {
  let left = charactersMax
  const facts: (readonly [string, string])[] = []
  for (const [name, value] of detailFacts(details, reader)) {
    const [shownName, shown] = [cut(name, left), cut(value, left)]
    left -= name.length + value.length + 2
    facts.push([shownName, shown])
    if (left <= 0) return [{ facts }, { paragraph: more }]
  }
  return facts.length === 0 ? [] : [{ facts }]
}

const cut = (text: string, max: number): string => (text.length <= max ? text : text.slice(0, max).toWellFormed())

import { composeMail, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'

interface InvitationMail {
  readonly account: string
  readonly inviter: string
  readonly url: string
}

/** Invites a person to an account. */
export const invitationMail: MailTemplate<InvitationMail> = (locale, { account, inviter, url }) =>
  locale === 'ar'
    ? composeMail(locale, {
        subject: `دعوة للانضمام إلى ${account}`,
        blocks: [
          { paragraph: `دعاك ${inviter} للانضمام إلى ${account} في Millrace. يعمل هذا الرابط مرة واحدة خلال 7 أيام.` },
          { link: { label: 'قبول الدعوة', url } },
          { paragraph: 'إن لم تكن تتوقع هذه الدعوة فتجاهل هذه الرسالة.' },
        ],
      })
    : composeMail(locale, {
        subject: `Invitation to ${account}`,
        blocks: [
          { paragraph: `${inviter} invites you to join ${account} on Millrace. This link works once, within 7 days.` },
          { link: { label: 'Accept the invitation', url } },
          { paragraph: 'If you do not expect this invitation, ignore this mail.' },
        ],
      })

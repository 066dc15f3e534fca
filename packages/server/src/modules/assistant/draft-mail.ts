import { composeMail, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'

/** A mail that a person approved. Its text is escaped, and contains no links but those that a mail program recognizes. */
export const draftMail: MailTemplate<{ readonly subject: string; readonly body: string }> = (locale, { subject, body }) =>
  composeMail(locale, {
    subject,
    blocks: body
      .split(/\n{2,}/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => ({ paragraph })),
  })

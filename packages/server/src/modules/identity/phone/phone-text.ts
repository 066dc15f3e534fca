import type { MailLocale } from '#platform/mail/templates/compose-mail.ts'

/**
 * The text of a message. Its last line lets browsers fill the code in on the pages of this origin only.
 *
 * Source: https://wicg.github.io/sms-one-time-codes/
 */
export function phoneText(locale: MailLocale, code: string, origin: string | undefined): string {
  const text =
    locale === 'ar'
      ? `${code} هو رمزك في Millrace، صالح 10 دقائق. لا تعطه لأحد.`
      : `${code} is your Millrace code, valid for 10 minutes. Do not give it to anyone.`
  return origin === undefined ? text : `${text}\n\n@${new URL(origin).host} #${code}`
}

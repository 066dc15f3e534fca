import { composeMail, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'
import { mailTime } from '#platform/mail/templates/mail-time.ts'

export interface RestoreLink {
  readonly url: string
  readonly until: Date
  /** That of the reader. */
  readonly zone: string
}

/** Informs a user that the account is deleted, with the link that restores it. */
export const accountDeletedMail: MailTemplate<RestoreLink> = (locale, { url, until, zone }) =>
  locale === 'ar'
    ? composeMail(locale, {
        subject: 'حُذف حسابك',
        blocks: [
          { paragraph: 'حُذف مستخدمك وحسابك في Millrace. انتهت الجلسات ومفاتيح API، وأُلغيت التنفيذات الجارية، ولن يبدأ شيء بعد الآن.' },
          { paragraph: 'يعيد هذا الرابط المستخدم والحساب حتى الوقت المذكور. بعده تُحذف البيانات نهائيًا.' },
          { link: { label: 'استعادة الحساب', url } },
          { facts: [['صالح حتى', mailTime(until, { locale, zone })]] },
          { paragraph: 'إن لم تكن أنت من حذفه فاستعد الحساب وعيّن كلمة مرور جديدة.' },
        ],
      })
    : composeMail(locale, {
        subject: 'Your account was deleted',
        blocks: [
          {
            paragraph:
              'Your user and your account at Millrace were deleted. Sessions and API keys have ended, running executions were cancelled, and nothing starts any more.',
          },
          { paragraph: 'Until the time below, this link restores the user and the account. Then the data is deleted for good.' },
          { link: { label: 'Restore the account', url } },
          { facts: [['Valid until', mailTime(until, { locale, zone })]] },
          { paragraph: 'If you did not delete it, restore the account and set a new password.' },
        ],
      })

import { composeMail, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'

interface Link {
  readonly url: string
}

export const verifyEmailMail: MailTemplate<Link> = (locale, { url }) =>
  locale === 'ar'
    ? composeMail(locale, {
        subject: 'أكّد عنوان بريدك الإلكتروني',
        blocks: [
          { paragraph: 'سُجِّل هذا العنوان في Millrace. أكّده بهذا الرابط خلال 24 ساعة.' },
          { link: { label: 'تأكيد العنوان', url } },
          { paragraph: 'إن لم تكن أنت من سجّله فتجاهل هذه الرسالة.' },
        ],
      })
    : composeMail(locale, {
        subject: 'Confirm your e-mail address',
        blocks: [
          { paragraph: 'This address was registered with Millrace. Confirm it by this link within 24 hours.' },
          { link: { label: 'Confirm the address', url } },
          { paragraph: 'If you did not register, ignore this mail.' },
        ],
      })

export const resetPasswordMail: MailTemplate<Link> = (locale, { url }) =>
  locale === 'ar'
    ? composeMail(locale, {
        subject: 'تعيين كلمة مرور جديدة',
        blocks: [
          { paragraph: 'طُلب تعيين كلمة مرور جديدة لحسابك. يعمل هذا الرابط مرة واحدة خلال 30 دقيقة.' },
          { link: { label: 'تعيين كلمة المرور', url } },
          { paragraph: 'إن لم تطلب ذلك فتجاهل هذه الرسالة، ولن تتغير كلمة مرورك.' },
        ],
      })
    : composeMail(locale, {
        subject: 'Set a new password',
        blocks: [
          { paragraph: 'A new password was requested for your account. This link works once, within 30 minutes.' },
          { link: { label: 'Set the password', url } },
          { paragraph: 'If you did not ask for it, ignore this mail; your password stays as it is.' },
        ],
      })

export const magicLinkMail: MailTemplate<Link> = (locale, { url }) =>
  locale === 'ar'
    ? composeMail(locale, {
        subject: 'رابط تسجيل الدخول',
        blocks: [
          { paragraph: 'سجّل الدخول بهذا الرابط خلال 10 دقائق، في المتصفح الذي طلبته فيه.' },
          { link: { label: 'تسجيل الدخول', url } },
          { paragraph: 'إن لم تطلبه فتجاهل هذه الرسالة ولا ترسلها إلى أحد.' },
        ],
      })
    : composeMail(locale, {
        subject: 'Your sign-in link',
        blocks: [
          { paragraph: 'Sign in by this link within 10 minutes, in the browser in which you asked for it.' },
          { link: { label: 'Sign in', url } },
          { paragraph: 'If you did not ask for it, ignore this mail, and do not pass it on.' },
        ],
      })

import { composeMail, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'
import { mailTime } from '#platform/mail/templates/mail-time.ts'

/** A change of how a user signs in, of which the user is informed. */
export type SecurityChange =
  | 'password_reset'
  | 'mfa_enabled'
  | 'mfa_disabled'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'phone_changed'
  | 'passkey_added'
  | 'passkey_removed'

export interface SecurityNotice {
  readonly change: SecurityChange
  readonly at: Date
  /** That of the reader. */
  readonly zone: string
  readonly ip: string
  readonly device: string | undefined
}

const english: Readonly<Record<SecurityChange, string>> = {
  password_reset: 'Your password was changed',
  mfa_enabled: 'A second factor was added to your sign-in',
  mfa_disabled: 'The second factor of your sign-in was removed',
  recovery_codes_made: 'New recovery codes were made',
  recovery_code_used: 'A recovery code was used to sign in',
  phone_changed: 'The phone number of your sign-in was changed',
  passkey_added: 'A passkey was added to your sign-in',
  passkey_removed: 'A passkey of your sign-in was removed',
}

const arabic: Readonly<Record<SecurityChange, string>> = {
  password_reset: 'تم تغيير كلمة مرورك',
  mfa_enabled: 'أُضيف عامل ثانٍ إلى تسجيل دخولك',
  mfa_disabled: 'أُزيل العامل الثاني من تسجيل دخولك',
  recovery_codes_made: 'أُنشئت رموز استرداد جديدة',
  recovery_code_used: 'استُخدم رمز استرداد لتسجيل الدخول',
  phone_changed: 'تم تغيير رقم هاتف تسجيل دخولك',
  passkey_added: 'أُضيف مفتاح مرور إلى تسجيل دخولك',
  passkey_removed: 'أُزيل مفتاح مرور من تسجيل دخولك',
}

/** Informs a user of a change of their credentials; it contains no link, so that users learn not to follow links of such mails. */
export const securityMail: MailTemplate<SecurityNotice> = (locale, { change, at, zone, ip, device }) => {
  const time = mailTime(at, { locale, zone })
  if (locale === 'ar') {
    return composeMail(locale, {
      subject: arabic[change],
      blocks: [
        { paragraph: `${arabic[change]}. إن لم تكن أنت من فعل ذلك فغيّر كلمة مرورك وأنهِ جلساتك فورًا.` },
        { facts: [['الوقت', time], ['العنوان', ip], ...(device === undefined ? [] : [['الجهاز', device] as const])] },
      ],
    })
  }
  return composeMail(locale, {
    subject: english[change],
    blocks: [
      { paragraph: `${english[change]}. If this was not you, set a new password and end your sessions at once.` },
      { facts: [['Time', time], ['Address', ip], ...(device === undefined ? [] : [['Device', device] as const])] },
    ],
  })
}

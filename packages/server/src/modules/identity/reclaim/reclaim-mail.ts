import { composeMail, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'
import { mailTime } from '#platform/mail/templates/mail-time.ts'

export interface ReclaimNotice {
  readonly at: Date
  /** That of the reader. */
  readonly zone: string
  readonly ip: string
  readonly device: string | undefined
  readonly password: boolean
  readonly identities: number
  readonly passkeys: number
  readonly phone: boolean
  readonly apiKeys: number
}

/** Informs the owner of an address of what was removed when the address was first confirmed. */
export const reclaimMail: MailTemplate<ReclaimNotice> = (locale, notice) => {
  const isArabic = locale === 'ar'
  const names = isArabic ? arabic : english
  const removed = [
    ...(notice.password ? [names.password] : []),
    ...(notice.identities > 0 ? [`${names.identities}: ${notice.identities}`] : []),
    ...(notice.passkeys > 0 ? [`${names.passkeys}: ${notice.passkeys}`] : []),
    ...(notice.phone ? [names.phone] : []),
    ...(notice.apiKeys > 0 ? [`${names.apiKeys}: ${notice.apiKeys}`] : []),
  ]
  return composeMail(locale, {
    subject: names.subject,
    blocks: [
      { paragraph: names.reason },
      { paragraph: names.advice },
      {
        facts: [
          [names.removed, removed.join(', ')],
          [names.time, mailTime(notice.at, { locale, zone: notice.zone })],
          [names.address, notice.ip],
          ...(notice.device === undefined ? [] : [[names.device, notice.device] as const]),
        ],
      },
    ],
  })
}

const english = {
  subject: 'Earlier ways to sign in were removed',
  reason:
    'Your address was confirmed for the first time. Until then, anyone could have registered it, so every session was ended and everything that signed in before was removed.',
  advice:
    'The rest of the account is unchanged. If you did not set it up yourself, look through its users, connections and workflows. To have a password, choose “Forgot password” at sign-in.',
  removed: 'Removed',
  password: 'password',
  identities: 'external sign-ins',
  passkeys: 'passkeys',
  phone: 'phone number',
  apiKeys: 'API keys',
  time: 'Time',
  address: 'Address',
  device: 'Device',
} as const

const arabic = {
  subject: 'أُزيلت طرق تسجيل الدخول السابقة',
  reason: 'أُكِّد عنوانك لأول مرة. كان يمكن لأي شخص تسجيله قبل ذلك، لذا أُنهيت كل الجلسات وأُزيل كل ما كان يسجّل الدخول من قبل.',
  advice:
    'لم يتغير باقي الحساب. إن لم تكن أنت من أعدّه فراجع مستخدميه واتصالاته ومسارات عمله. للحصول على كلمة مرور اختر «نسيت كلمة المرور» عند تسجيل الدخول.',
  removed: 'أُزيل',
  password: 'كلمة المرور',
  identities: 'تسجيلات الدخول الخارجية',
  passkeys: 'مفاتيح المرور',
  phone: 'رقم الهاتف',
  apiKeys: 'مفاتيح API',
  time: 'الوقت',
  address: 'العنوان',
  device: 'الجهاز',
} as const

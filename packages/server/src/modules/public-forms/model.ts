export type LeadKind = 'contact' | 'sales' | 'demo' | 'newsletter'
export type LeadState = 'received' | 'pending' | 'confirmed' | 'unsubscribed'
export type FormLocale = 'en' | 'ar'

/** What a sender agreed to, and from where. */
export interface Consent {
  readonly at: Date
  readonly text: string
  readonly ip: string
  readonly userAgent: string | undefined
}

export interface LeadMessage {
  readonly at: string
  readonly text: string
}

/** What one form contains. */
export interface Submission {
  readonly kind: LeadKind
  /** In lower case. */
  readonly email: string
  readonly name: string | undefined
  readonly company: string | undefined
  readonly phone: string | undefined
  readonly locale: FormLocale
  readonly details: Readonly<Record<string, string>>
  readonly message: string | undefined
}

export interface Lead extends Omit<Submission, 'message'> {
  readonly id: string
  readonly state: LeadState
  readonly messages: readonly LeadMessage[]
  readonly submissions: number
  readonly consent: Consent
  readonly mailedAt: Date | undefined
  readonly confirmedAt: Date | undefined
  readonly unsubscribedAt: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const messagesMax = 10
export const foldMs = 24 * 60 * 60 * 1000
export const consentTexts: Readonly<Record<FormLocale, string>> = {
  en: 'I agree that my data is stored and used to respond to this request.',
  ar: 'أوافق على حفظ بياناتي واستخدامها للرد على هذا الطلب.',
}

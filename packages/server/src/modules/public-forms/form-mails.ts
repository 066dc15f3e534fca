import { composeMail, type MailBlock, type MailTemplate } from '#platform/mail/templates/compose-mail.ts'
import type { Submission } from './model.ts'

export interface NewsletterLinks {
  readonly confirmUrl: string
  readonly unsubscribeUrl: string
}

/** Asks the owner of an address to confirm that they want the newsletter. */
export const confirmMail: MailTemplate<NewsletterLinks> = (locale, { confirmUrl, unsubscribeUrl }) =>
  locale === 'ar'
    ? composeMail(locale, {
        subject: 'أكّد اشتراكك في النشرة',
        blocks: [
          { paragraph: 'طلب أحدهم إرسال نشرتنا إلى هذا العنوان. إن كنت أنت من طلب ذلك فأكّد الاشتراك خلال سبعة أيام.' },
          { link: { label: 'تأكيد الاشتراك', url: confirmUrl } },
          { paragraph: 'إن لم تكن أنت فلا تفعل شيئًا، وسيُحذف العنوان.' },
          { link: { label: 'إلغاء الاشتراك', url: unsubscribeUrl } },
        ],
      })
    : composeMail(locale, {
        subject: 'Confirm your subscription to the newsletter',
        blocks: [
          { paragraph: 'Someone asked us to send our newsletter to this address. If it was you, confirm it within seven days.' },
          { link: { label: 'Confirm the subscription', url: confirmUrl } },
          { paragraph: 'If it was not you, do nothing: the address will be deleted.' },
          { link: { label: 'Unsubscribe', url: unsubscribeUrl } },
        ],
      })

const titles = { contact: 'Message', sales: 'Sales request', demo: 'Demo request', newsletter: 'Subscription' } as const

/** Brings a lead to the sales team. */
export const salesMail: MailTemplate<Submission> = (locale, lead) => {
  const optional = { name: lead.name, company: lead.company, phone: lead.phone, ...lead.details }
  const facts = Object.entries(optional).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const blocks: readonly MailBlock[] = [
    { facts: [['email', lead.email], ...facts, ['locale', lead.locale]] },
    ...(lead.message === undefined ? [] : [{ paragraph: lead.message }]),
  ]
  return composeMail(locale, { subject: `${titles[lead.kind]}: ${lead.name ?? lead.email}`, blocks })
}

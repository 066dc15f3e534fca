import type { leads, Reply } from '@millrace/contract'
import { csvLines } from '#platform/csv-lines.ts'
import { toTypeId } from '#platform/ids.ts'
import type { FormLocale, Lead } from './model.ts'
import type { NewsletterLinksOf } from './newsletter/newsletter-links.ts'

type LeadView = Reply<typeof leads.list>['data'][number]

export function leadView(lead: Lead, linksOf: NewsletterLinksOf): LeadView {
  const { consent, messages } = lead
  return {
    id: toTypeId('lead', lead.id),
    kind: lead.kind,
    state: lead.state,
    email: lead.email,
    name: lead.name ?? null,
    company: lead.company ?? null,
    phone: lead.phone ?? null,
    locale: lead.locale,
    details: { ...lead.details },
    messages: [...messages],
    submissions: lead.submissions,
    consent: { at: consent.at.toISOString(), text: consent.text, ip: consent.ip, userAgent: consent.userAgent ?? null },
    confirmedAt: lead.confirmedAt?.toISOString() ?? null,
    unsubscribedAt: lead.unsubscribedAt?.toISOString() ?? null,
    unsubscribeUrl: lead.kind === 'newsletter' ? linksOf(lead.id).unsubscribeUrl : null,
    createdAt: lead.createdAt.toISOString(),
    updatedAt: lead.updatedAt.toISOString(),
  }
}

const columns = ['id', 'kind', 'state', 'email', 'name', 'company', 'phone', 'locale', 'submissions', 'createdAt', 'confirmedAt'] as const

/** Leads as CSV (RFC 4180). */
export function csvOf(views: readonly LeadView[]): string {
  const header = [...columns, 'details', 'messages', 'unsubscribeUrl']
  const lines = views.map((view) => [
    ...columns.map((column) => String(view[column] ?? '')),
    Object.keys(view.details).length === 0 ? '' : JSON.stringify(view.details),
    view.messages.map(({ text }) => text).join('\n\n'),
    view.unsubscribeUrl ?? '',
  ])
  return csvLines([header, ...lines])
}

export function thanks(kind: 'message' | 'newsletter', locale: FormLocale) {
  const texts = {
    message: { en: 'Thank you. We will respond by mail.', ar: 'شكرًا لك. سنرد عليك بالبريد.' },
    newsletter: {
      en: 'If the address is not subscribed yet, a mail with a link is on its way. Use the link within seven days.',
      ar: 'إن لم يكن العنوان مشتركًا بعد فستصلك رسالة فيها رابط. استخدم الرابط خلال سبعة أيام.',
    },
  }
  return { received: true as const, detail: texts[kind][locale] }
}

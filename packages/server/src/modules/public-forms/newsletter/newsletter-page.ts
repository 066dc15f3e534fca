import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type Html, html } from '#platform/html.ts'
import { confirmationMs } from '#modules/public-forms/form-service.ts'
import { confirmSubscription, endSubscription, findLead } from '#modules/public-forms/lead-store.ts'
import type { FormLocale } from '#modules/public-forms/model.ts'
import type { NewsletterAction } from './newsletter-links.ts'

export interface NewsletterPageDeps {
  readonly db: Kysely<Rows>
  readonly read: (token: string) => { readonly action: NewsletterAction; readonly id: string } | undefined
  readonly now: () => Date
}

export interface NewsletterPage {
  readonly status: 200 | 404
  readonly html: string
}

interface Texts {
  readonly title: string
  readonly text: string
  readonly button?: string
}

const english = {
  confirm: { title: 'Confirm the subscription', text: 'Do you want our newsletter?', button: 'Yes, subscribe' },
  unsubscribe: { title: 'Unsubscribe', text: 'Do you want to stop our newsletter?', button: 'Unsubscribe' },
  confirmed: { title: 'You are subscribed', text: 'Every newsletter contains a link to unsubscribe.' },
  unsubscribed: { title: 'You are unsubscribed', text: 'You will get no more newsletters.' },
  gone: { title: 'Link not valid', text: 'The link is wrong or has expired. Subscribe again to get a new one.' },
} as const satisfies Record<string, Texts>

const arabic: Readonly<Record<keyof typeof english, Texts>> = {
  confirm: { title: 'تأكيد الاشتراك', text: 'هل تريد استلام نشرتنا؟', button: 'نعم، اشترك' },
  unsubscribe: { title: 'إلغاء الاشتراك', text: 'هل تريد إيقاف نشرتنا؟', button: 'إلغاء الاشتراك' },
  confirmed: { title: 'تم اشتراكك', text: 'تحتوي كل نشرة على رابط لإلغاء الاشتراك.' },
  unsubscribed: { title: 'تم إلغاء اشتراكك', text: 'لن تصلك أي نشرة بعد الآن.' },
  gone: { title: 'الرابط غير صالح', text: 'الرابط خاطئ أو انتهت صلاحيته. اشترك مجددًا للحصول على رابط جديد.' },
}

/** The page behind the links of newsletters. Only its button acts: programs that check mails follow links, and press nothing. */
export function createNewsletterPage({ db, read, now }: NewsletterPageDeps) {
  return {
    async show(token: string): Promise<NewsletterPage> {
      const link = read(token)
      const lead = link === undefined ? undefined : await findLead(db, link.id)
      if (link === undefined || lead === undefined) return page('gone', 'en')
      return page(link.action, lead.locale)
    },
    /** Also what a mail program calls for one-click unsubscription (RFC 8058). */
    async act(token: string): Promise<NewsletterPage> {
      const link = read(token)
      if (link === undefined) return page('gone', 'en')
      const at = now()
      const since = new Date(at.getTime() - confirmationMs)
      const done =
        link.action === 'confirm' ? await confirmSubscription(db, link.id, { at, since }) : await endSubscription(db, link.id, at)
      const locale = (await findLead(db, link.id))?.locale ?? 'en'
      return done ? page(link.action === 'confirm' ? 'confirmed' : 'unsubscribed', locale) : page('gone', locale)
    },
  }
}

function page(name: keyof typeof english, locale: FormLocale): NewsletterPage {
  const { title, text, button }: Texts = (locale === 'ar' ? arabic : english)[name]
  const form: Html | undefined =
    button === undefined ? undefined : html`<form method="post"><button type="submit">${button}</button></form>`
  const content = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p>${form}</main></body>
</html>
`
  return { status: name === 'gone' ? 404 : 200, html: content.text }
}

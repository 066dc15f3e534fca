import type { contact, leads, Received } from '@millrace/contract'
import type { HandlersFor, RequestContext } from '#platform/http/index.ts'
import { preferredLocale } from '#platform/mail/templates/preferred-locale.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { PublicForms, Sender } from './form-service.ts'
import { type Consent, consentTexts, type FormLocale, type LeadKind, type Submission } from './model.ts'
import type { NewsletterLinksOf } from './newsletter/newsletter-links.ts'
import { csvOf, leadView, thanks } from './views.ts'

export interface FormHandlersDeps {
  readonly forms: PublicForms
  readonly linksOf: NewsletterLinksOf
  readonly now: () => Date
}

type AnyForm = Received<typeof contact.send>['body'] | Received<(typeof leads)['contact' | 'demo' | 'newsletter']>['body']

/** Handlers of the groups `contact` and `leads`. */
export function formHandlers({ forms, linksOf, now }: FormHandlersDeps): {
  readonly contact: HandlersFor<typeof contact>
  readonly leads: HandlersFor<typeof leads>
} {
  async function receive(ctx: RequestContext, kind: LeadKind, body: AnyForm, rest: Pick<Submission, 'details' | 'message'>) {
    const locale = localeOf(ctx, body.locale)
    const submission = { kind, ...personOf(body), locale, ...rest }
    const consent = { at: now(), text: consentTexts[locale], ip: ctx.ip, userAgent: ctx.userAgent?.slice(0, 500) } satisfies Consent
    const sender = senderOf(ctx, body)
    await (kind === 'newsletter' ? forms.subscribe(sender, submission, consent) : forms.submit(sender, submission, consent))
    return thanks(kind === 'newsletter' ? 'newsletter' : 'message', locale)
  }

  return {
    contact: {
      send: (ctx, { body }) => {
        const { topic, subject, message } = body
        return receive(ctx, 'contact', body, { details: present({ topic, subject }), message })
      },
    },
    leads: {
      contact: (ctx, { body }) => receive(ctx, 'sales', body, { details: {}, message: body.message }),
      demo: (ctx, { body }) => {
        const { teamSize, useCase, preferredTime } = body
        return receive(ctx, 'demo', body, { details: present({ teamSize, preferredTime }), message: useCase })
      },
      newsletter: (ctx, { body }) => receive(ctx, 'newsletter', body, { details: {}, message: undefined }),
      challenge: async () => forms.challenge(),
      async list(_ctx, { query: { kind, state, cursor, limit } }) {
        const found = await forms.list({ kind, state }, { before: decodeId(cursor), limit: limit + 1 })
        const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
        return { data: data.map((lead) => leadView(lead, linksOf)), nextCursor }
      },
      async export(_ctx, { query: { kind, state } }) {
        const found = (await forms.all({ kind, state })).map((lead) => leadView(lead, linksOf))
        const fileName = `leads-${now().toISOString().slice(0, 10)}.csv`
        return { fileName, mediaType: 'text/csv' as const, rows: found.length, content: csvOf(found) }
      },
    },
  }
}

function senderOf({ principal }: RequestContext, { website, proof }: AnyForm): Sender {
  return { isKnown: principal !== undefined && principal.credential !== 'challenge', isTrapped: (website ?? '') !== '', proof }
}

function personOf(body: AnyForm): Pick<Submission, 'email' | 'name' | 'company' | 'phone'> {
  const email = body.email.toLowerCase()
  return 'name' in body
    ? { email, name: body.name, company: body.company, phone: body.phone }
    : { email, name: undefined, company: undefined, phone: undefined }
}

function localeOf(ctx: RequestContext, chosen: FormLocale | undefined): FormLocale {
  return chosen ?? preferredLocale(ctx.acceptLanguage)
}

function present(members: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

import { html, type Html } from '#platform/html.ts'

export const mailLocales = ['en', 'ar'] as const
export type MailLocale = (typeof mailLocales)[number]

/** The content of a mail. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Makes the content of one kind of mail in the language of its reader. */
export type MailTemplate<D> = (locale: MailLocale, data: D) => MailContent

/** One part of a mail, as plain text: both forms of the mail are made from it. */
export type MailBlock =
  | { readonly paragraph: string }
  | { readonly link: { readonly label: string; readonly url: string } }
  /** A code to be typed in. */
  | { readonly code: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[] }

export interface MailParts {
  readonly subject: string
  readonly blocks: readonly MailBlock[]
}

const footers: Readonly<Record<MailLocale, string>> = {
  en: 'Millrace sent this mail automatically. Replies are not read.',
  ar: 'أرسل Millrace هذه الرسالة تلقائيًا، ولا تُقرأ الردود عليها.',
}

/** The mail language for a language tag of a user, such as `ar-SA`; English for every other one. */
export function mailLocaleOf(tag: string | undefined): MailLocale {
  return tag !== undefined && /^ar(?:-|$)/i.test(tag) ? 'ar' : 'en'
}

/** Puts parts into the one layout of mails. Every text is escaped. */
export function composeMail(locale: MailLocale, { subject, blocks }: MailParts): MailContent {
  const line = subject.replaceAll(/\p{Cc}+/gu, ' ')
  const text = [...blocks.map(textOf), `-- \n${footers[locale]}`].join('\n\n')
  const page = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${line}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1b1f24;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:8px">
${blocks.map(htmlOf)}
</div>
<p style="max-width:560px;margin:16px auto;color:#57606a;font-size:13px">${footers[locale]}</p>
</body>
</html>
`
  return { subject: line, text, html: page.text }
}

function textOf(block: MailBlock): string {
  if ('paragraph' in block) return block.paragraph
  if ('link' in block) return `${block.link.label}:\n${block.link.url}`
  if ('code' in block) return `    ${block.code}`
  return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
}

function htmlOf(block: MailBlock): Html {
  if ('paragraph' in block) return html`<p style="white-space:pre-line">${block.paragraph}</p>`
  if ('code' in block) return html`<p dir="ltr" style="font:600 28px/1.4 monospace;letter-spacing:4px;text-align:center">${block.code}</p>`
  if ('link' in block) {
    const { label, url } = block.link
    return html`<p><a href="${safeUrl(url)}" style="display:inline-block;padding:10px 20px;background:#1f5fbf;color:#fff;border-radius:6px;text-decoration:none">${label}</a></p>
<p dir="ltr" style="font-size:13px;word-break:break-all">${url}</p>`
  }
  return html`<table style="border-collapse:collapse">${block.facts.map(
    ([name, value]) => html`<tr><th style="padding:2px 12px 2px 0;text-align:start">${name}</th><td><bdi>${value}</bdi></td></tr>`,
  )}</table>`
}

/** A link leads to a page, never to a script. */
function safeUrl(url: string): string {
  return /^https?:\/\//.test(url) ? url : '#'
}

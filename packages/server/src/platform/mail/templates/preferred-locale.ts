import type { MailLocale } from './compose-mail.ts'

const headerMax = 500

/** The language that a reader prefers by `Accept-Language`, of those that we have; English without a preference. Source: RFC 9110, section 12.5.4. */
export function preferredLocale(acceptLanguage: string | undefined): MailLocale {
  const ranges = (acceptLanguage ?? '').slice(0, headerMax).split(',').map(rangeOf)
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of wanted) {
    if (/^ar(?:-|$)/.test(tag)) return 'ar'
    if (/^en(?:-|$)/.test(tag) || tag === '*') return 'en'
  }
  return 'en'
}

function rangeOf(text: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { tag, quality: Number.isFinite(quality) ? quality : 0 }
}

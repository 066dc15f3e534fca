import { createRequire } from 'node:module'
import type * as libphonenumber from 'libphonenumber-js/min'
import { findAll, type Finding, hasContext } from './finding.ts'

const words =
  /call|phone|\btel\b|telephone|mobile|\bcell\b|fax|office|reach|ring|text me|whatsapp|sms|answering|contact|dial|handy|mobil|telefon|t[ée]l[ée]phone|tel[ée]fono|telefone|هاتف|جوال|موبايل|اتصل|تلفون/i
/** A sign, a prefix in brackets, then groups of digits; an extension at the end. */
const candidate =
  /(?<![\p{L}\d.,/:#$€£-])(?:\+|00)?\(?\d{1,4}\)?(?:[ .\-/]{0,2}\(?\d{1,5}\)?){1,6}(?:\s?(?:x|ext\.?|#)\s?\d{1,6})?(?![\p{L}\d%]|[.:/]\d|-\d)/giu
const grouped = [
  /^(?:\+?1[ .-])?\(?[2-9]?\d{2}\)?[ .-]?\d{3}[.-]\d{4}/,
  /^\(0?\d{1,4}\)[ -]?\d{2,4}/,
  /^0\d{1,4}[ -/]\d{2,4}(?:[ -]?\d{2,4}){1,4}$/,
  /^00?1[.-]\d{3}[.-]\d{3}[.-]\d{4}/,
]

type NumberingPlans = Pick<typeof libphonenumber, 'isPossiblePhoneNumber' | 'parsePhoneNumberFromString'>

let plans: NumberingPlans | undefined

/** Loads the numbering plans at the first international number. */
function numberingPlans(): NumberingPlans {
  if (plans !== undefined) return plans
  const loaded: NumberingPlans = createRequire(import.meta.url)('libphonenumber-js/min')
  plans = loaded
  return loaded
}

/** Telephone numbers: international ones by the numbering plans, others by their form or by words around them. */
export function findPhones(text: string): Finding[] {
  return findAll(text, candidate, { kind: 'phone', rule: 'phone' }, (match, start) => {
    const number = match.replace(/\s?(?:x|ext\.?|#)\s?\d{1,6}$/i, '')
    const digits = number.replaceAll(/\D/g, '')
    if (digits.length < 6 || digits.length > 15 || /^(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?$/.test(number)) return 0
    const near = hasContext(text, { start, end: start + match.length }, words, 40, 15)
    if (/^(?:\+|00)/.test(number)) {
      const international = `+${digits.replace(/^00/, '')}`
      const { isPossiblePhoneNumber, parsePhoneNumberFromString } = numberingPlans()
      if (parsePhoneNumberFromString(international)?.isValid() === true) return near ? 1 : 0.9
      if (isPossiblePhoneNumber(international)) return near ? 0.8 : 0.6
    }
    const hasForm = grouped.some((form) => form.test(number))
    if (hasForm) return near ? 0.8 : 0.55
    return near && digits.length >= 6 && /^[\d()+]/.test(number) ? (/[ .-]/.test(number) || digits.length >= 9 ? 0.6 : 0.4) : 0
  })
}

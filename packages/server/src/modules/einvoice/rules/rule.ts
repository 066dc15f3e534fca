import { type Decimal, compare, parseDecimal, sum } from '#modules/einvoice/decimal.ts'
import { at, type UblDocument, type XmlElement } from '#modules/einvoice/ubl/element.ts'

export type Severity = 'fatal' | 'warning'

/** A business rule: it applies, or not, at every element of its context. */
export interface Rule {
  readonly id: string
  readonly severity: Severity
  /** What the rule asks for. */
  readonly meaning: string
  /** The elements that the rule judges. */
  readonly context: (document: UblDocument) => readonly XmlElement[]
  readonly applies: (element: XmlElement, document: UblDocument) => boolean
}

/** The violation of a rule at one place. */
export interface Finding {
  readonly rule: string
  readonly severity: Severity
  /** XPath. */
  readonly path: string
  readonly meaning: string
}

/** A value that a rule cannot calculate with: several where one is expected, or no number. It violates the rule that needs it. */
class NotCalculable extends Error {}

/** Judges a document by rules. */
export function judge(document: UblDocument, rules: readonly Rule[]): readonly Finding[] {
  return rules.flatMap((rule) =>
    rule
      .context(document)
      .filter((element) => !isKept(rule, element, document))
      .map((element) => ({ rule: rule.id, severity: rule.severity, path: document.pathOf(element), meaning: rule.meaning })),
  )
}

function isKept(rule: Rule, element: XmlElement, document: UblDocument): boolean {
  try {
    return rule.applies(element, document)
  } catch (error) {
    if (error instanceof NotCalculable) return false
    throw error
  }
}

/** A predicate of a context: what cannot be calculated selects nothing, as in a pattern of XSLT. */
export function selects(predicate: (element: XmlElement) => boolean): (element: XmlElement) => boolean {
  return (element) => {
    try {
      return predicate(element)
    } catch (error) {
      if (error instanceof NotCalculable) return false
      throw error
    }
  }
}

/** Rules with the same context. */
export function rulesFor(
  context: Rule['context'],
  rules: readonly (readonly [id: string, meaning: string, applies: Rule['applies'], severity?: Severity])[],
): readonly Rule[] {
  return rules.map(([id, meaning, applies, severity = 'fatal']) => ({ id, meaning, applies, severity, context }))
}

export const has = (from: XmlElement, path: string): boolean => at(from, path).length > 0

/** As `normalize-space` of XPath. */
export const normal = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** The only element at a path; several cannot be used as one value. */
export function one(from: XmlElement, path: string): XmlElement | undefined {
  const found = at(from, path)
  if (found.length > 1) throw new NotCalculable()
  return found[0]
}

export function hasText(from: XmlElement, path: string): boolean {
  return normal(one(from, path)?.text ?? '') !== ''
}

export function numberOf({ text }: XmlElement): Decimal {
  const number = parseDecimal(text)
  if (number === undefined) throw new NotCalculable()
  return number
}

export function amount(from: XmlElement, path: string): Decimal | undefined {
  const found = one(from, path)
  return found === undefined ? undefined : numberOf(found)
}

/** The sum of one amount of each element; an element without it counts nothing. */
export function total(elements: readonly XmlElement[], path: string): Decimal {
  return sum(elements.flatMap((element) => amount(element, path) ?? []))
}

/** False if either is absent, as in XPath. */
export function equal(a: Decimal | undefined, b: Decimal | undefined): boolean {
  return a !== undefined && b !== undefined && compare(a, b) === 0
}

export function decimalsOf(from: XmlElement, path: string): number {
  return (one(from, path)?.text ?? '').split('.').slice(1).join('.').length
}

const truths: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

/** Whether an AllowanceCharge is a charge or an allowance. */
export function isCharge(element: XmlElement, wanted: boolean): boolean {
  return at(element, 'cbc:ChargeIndicator').some(({ text }) => {
    const truth = truths[text.trim()]
    if (truth === undefined) throw new NotCalculable()
    return truth === wanted
  })
}

/** Whether an element belongs to VAT by its TaxScheme. */
export function isVat(element: XmlElement): boolean {
  return at(element, 'cac:TaxScheme').some((scheme) => normal(one(scheme, 'cbc:ID')?.text ?? '').toUpperCase() === 'VAT')
}

/** As `isVat` in the rules that expect one TaxScheme. */
export function isVatOnce(element: XmlElement): boolean {
  if (at(element, 'cac:TaxScheme').length > 1) throw new NotCalculable()
  return isVat(element)
}

/** Whether a tax category has a code. */
export function hasCode(category: XmlElement, code: string): boolean {
  return normal(one(category, 'cbc:ID')?.text ?? '') === code
}

export function isLine({ name }: XmlElement): boolean {
  return name === 'cac:InvoiceLine' || name === 'cac:CreditNoteLine'
}

import type { groups, Sent } from '@millrace/contract'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { emptyLine, type LineDraft } from '#src/pages/einvoice/invoice-lines.tsx'
import { typedDecimal } from '#src/values/typed-decimal.ts'

type Body = Sent<(typeof groups)['einvoice']['generate']>['body']

export const profiles = ['en16931', 'zatca-standard', 'zatca-simplified'] as const
export const kinds = ['invoice', 'credit_note'] as const
export const sides = ['seller', 'buyer'] as const
export const parts = ['Name', 'VatId', 'Street', 'Building', 'District', 'Postcode', 'City', 'Country'] as const

export type Side = (typeof sides)[number]
export type Part = (typeof parts)[number]
type PartyValues = Readonly<Record<`${Side}${Part}`, string>>

/** What a person types to make an e-invoice. */
export interface InvoiceValues extends PartyValues {
  readonly profile: (typeof profiles)[number]
  readonly kind: (typeof kinds)[number]
  readonly number: string
  readonly precedes: string
  readonly note: string
  readonly currency: string
  readonly issueDate: string
  readonly dueDate: string
  readonly buyerReference: string
  readonly orderReference: string
  readonly account: string
  readonly lines: readonly LineDraft[]
  readonly [other: string]: unknown
}

const noParty = { Name: '', VatId: '', Street: '', Building: '', District: '', Postcode: '', City: '', Country: 'DE' }

export const noValues: InvoiceValues = {
  ...partyValues('seller', noParty),
  ...partyValues('buyer', noParty),
  profile: 'en16931',
  kind: 'invoice',
  number: '',
  precedes: '',
  note: '',
  currency: 'EUR',
  issueDate: '',
  dueDate: '',
  buyerReference: '',
  orderReference: '',
  account: '',
  lines: [emptyLine],
}

/** The parts of a party as values of the form. */
export function partyValues<S extends Side>(side: S, party: Readonly<Record<Part, string>>): Readonly<Record<`${S}${Part}`, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys are made of all parts.
  return Object.fromEntries(parts.map((part) => [`${side}${part}`, party[part]])) as Readonly<Record<`${S}${Part}`, string>>
}

/** The body of the request. @throws FieldProblems for numbers that cannot be read. */
export function bodyOf(values: InvoiceValues): Body {
  const { number, kind, profile, currency, lines } = values
  const account = values.account.trim()
  return {
    number: number.trim(),
    kind,
    profile,
    currency: currency.trim().toUpperCase(),
    ...given(values, ['issueDate', 'dueDate', 'buyerReference', 'orderReference']),
    ...(kind === 'credit_note' ? { precedingInvoice: { number: values.precedes.trim() }, ...given(values, ['note']) } : {}),
    ...(account === '' ? {} : { payment: { account } }),
    seller: partyOf('seller', values),
    ...(values.buyerName.trim() === '' ? {} : { buyer: partyOf('buyer', values) }),
    lines: linesOf(lines),
  }
}

function given<K extends 'issueDate' | 'dueDate' | 'buyerReference' | 'orderReference' | 'note'>(
  values: InvoiceValues,
  names: readonly K[],
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const name of names) if (values[name].trim() !== '') found[name] = values[name].trim()
  return found
}

function partyOf(side: Side, values: InvoiceValues) {
  const of = (part: Part) => values[`${side}${part}`].trim()
  const optional = (name: string, text: string) => (text === '' ? {} : { [name]: text })
  return {
    name: of('Name'),
    ...optional('vatId', of('VatId').replaceAll(/\s/g, '').toUpperCase()),
    address: {
      ...optional('street', of('Street')),
      ...optional('building', of('Building')),
      ...optional('district', of('District')),
      ...optional('postcode', of('Postcode')),
      ...optional('city', of('City')),
      country: of('Country').toUpperCase(),
    },
  }
}

const numbers = ['quantity', 'unitPrice', 'rate'] as const

function linesOf(drafts: readonly LineDraft[]): Body['lines'] {
  const problems: Record<string, string> = {}
  const lines = drafts.map((draft, index) => {
    const read = { quantity: '', unitPrice: '', rate: '' }
    for (const member of numbers) {
      const typed = typedDecimal(draft[member])
      if (typed.kind === 'number') read[member] = typed.text
      else problems[`lines.${index}.${member}`] = typed.kind === 'none' ? m.einvoice.noNumber : m.einvoice.unclear(typed.small, typed.large)
    }
    const { quantity, unitPrice, rate } = read
    const vat = Number(rate) > 0 ? { category: 'S' as const, rate } : { category: 'Z' as const, rate: '0' }
    return { name: draft.name, quantity, unitPrice, vat }
  })
  if (Object.keys(problems).length > 0) throw new FieldProblems(problems)
  return lines
}

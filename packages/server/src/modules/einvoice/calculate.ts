import { currencyDigits, Fault } from '@millrace/contract'
import {
  add,
  compare,
  decimal,
  type Decimal,
  divide,
  multiply,
  negate,
  round,
  subtract,
  sum,
  toShortText,
  toText,
  zero,
} from './decimal.ts'
import type { Calculated, CalculatedLine, Charged, InvoiceSource, SourceCharge, SourceLine, TaxPart, Vat } from './model.ts'

type Problem = { readonly pointer: string; readonly detail: string }

const hundred = decimal('100')

/**
 * Calculates an invoice exactly; each amount is rounded once, half away from zero, to the decimals of the currency.
 *
 * @throws Fault `request_invalid` for amounts that EN 16931 or the totals cannot express.
 */
export function calculate(source: InvoiceSource): Calculated {
  const decimals = currencyDigits(source.currency)
  const exact = calculateAt(source, decimals)
  refuseLarge(exact)
  if (decimals <= writtenDecimalsMax) return exact
  const imprecise = problemsOfPrecision(exact)
  if (imprecise.length > 0) throw new Fault('request_invalid', { errors: imprecise.slice(0, 100) })
  // No amount changes: none needs more decimals.
  return calculateAt(source, writtenDecimalsMax)
}

function calculateAt(source: InvoiceSource, decimals: number): Calculated {
  const problems: Problem[] = []
  const lines = source.lines.map((line, index) => calculateLine(line, `/lines/${index}`, { decimals, problems }))
  const sumOfLines = sum(lines.map(({ net }) => net))
  const charges = chargesOf(source, sumOfLines, '', { decimals, problems })
  for (const { source: charge, isCharge } of charges) {
    if (charge.vat !== undefined) continue
    const list = isCharge ? 'charges' : 'allowances'
    problems.push({
      pointer: `/${list}/${source[list].indexOf(charge)}/vat`,
      detail: 'Is missing: VAT is calculated for every allowance and charge of the document.',
    })
  }
  if (problems.length > 0) throw new Fault('request_invalid', { errors: problems.slice(0, 100) })
  const parts = partsOf(lines, charges, decimals)
  const [allowanceSum, chargeSum] = [false, true].map((wanted) =>
    sum(charges.filter(({ isCharge }) => isCharge === wanted).map(({ amount }) => amount)),
  )
  const [allowances, added] = [allowanceSum ?? zero, chargeSum ?? zero]
  const taxExclusive = add(subtract(sumOfLines, allowances), added)
  const tax = sum(parts.map((part) => part.tax))
  const taxInclusive = add(taxExclusive, tax)
  const prepaid = round(decimal(source.prepaid ?? '0'), decimals)
  const payable = add(subtract(taxInclusive, prepaid), round(decimal(source.rounding ?? '0'), decimals))
  const sums = { lines: sumOfLines, allowances, charges: added, taxExclusive, tax, taxInclusive, prepaid, payable }
  return { source, decimals, lines, charges, parts, sums }
}

/** Totals are numbers in minor units, which are exact up to a limit. */
function refuseLarge({ source: { currency }, decimals, sums }: Calculated): void {
  const most: Decimal = { digits: BigInt(Number.MAX_SAFE_INTEGER), scale: decimals }
  if (Object.values(sums).every((amount) => compare(amount, most) <= 0 && compare(negate(amount), most) <= 0)) return
  const detail = `Result in totals of more than ${toText(most)} ${currency}, the largest amount that an e-invoice can have.`
  throw new Fault('request_invalid', { errors: [{ pointer: '/lines', detail }] })
}

interface Work {
  readonly decimals: number
  readonly problems: Problem[]
}

/** Decimals of the amounts of a document in EN 16931, at most. */
const writtenDecimalsMax = 2

/** A currency with more than two decimals can only be written where no amount needs the others: rounding would change what is owed. */
function problemsOfPrecision({ source, decimals, lines, charges, parts, sums }: Calculated): readonly Problem[] {
  const { currency, rounding = '0' } = source
  const amounts: readonly (readonly [pointer: string, what: string, amount: Decimal])[] = [
    ...lines.flatMap((line, index) => [
      [`/lines/${index}`, 'The amount of the line', line.net] as const,
      ...line.charges.map(({ amount }) => [`/lines/${index}`, 'An allowance or charge of the line', amount] as const),
    ]),
    ...charges.map(({ amount }) => ['/currency', 'An allowance or charge of the document', amount] as const),
    ...parts.map(({ tax }) => ['/currency', 'The tax', tax] as const),
    ['/prepaid', 'What was paid', sums.prepaid],
    ['/rounding', 'The rounding', round(decimal(rounding), decimals)],
  ]
  return amounts
    .filter(([, , amount]) => compare(amount, round(amount, writtenDecimalsMax)) !== 0)
    .map(([pointer, what, amount]) => ({
      pointer,
      detail: `${what} is ${toText(amount, decimals)} ${currency}. EN 16931 permits two decimals, and Millrace does not round what is owed.`,
    }))
}

function calculateLine(source: SourceLine, pointer: string, work: Work): CalculatedLine {
  const per = decimal(source.priceQuantity ?? '1')
  if (per.digits === 0n) work.problems.push({ pointer: `${pointer}/priceQuantity`, detail: 'Must not be zero.' })
  const gross = per.digits === 0n ? zero : divide(multiply(decimal(source.quantity), decimal(source.unitPrice)), per, work.decimals)
  const charges = chargesOf(source, gross, pointer, work)
  const net = charges.reduce((value, { isCharge, amount }) => (isCharge ? add(value, amount) : subtract(value, amount)), gross)
  return { source, net, charges }
}

type WithCharges = Pick<InvoiceSource, 'allowances' | 'charges'>

function chargesOf(source: WithCharges, base: Decimal, pointer: string, work: Work): readonly Charged[] {
  const of = (list: 'allowances' | 'charges') =>
    source[list].map((charge, index) =>
      charged(charge, { base, isCharge: list === 'charges', pointer: `${pointer}/${list}/${index}` }, work),
    )
  return [...of('allowances'), ...of('charges')]
}

function charged(
  source: SourceCharge,
  { base, isCharge, pointer }: { readonly base: Decimal; readonly isCharge: boolean; readonly pointer: string },
  { decimals, problems }: Work,
): Charged {
  const { amount, percent } = source
  if ((amount === undefined) === (percent === undefined)) problems.push({ pointer, detail: 'Give either `amount` or `percent`.' })
  if (percent === undefined) return { isCharge, source, base: undefined, amount: round(decimal(amount ?? '0'), decimals) }
  return { isCharge, source, base, amount: divide(multiply(base, decimal(percent)), hundred, decimals) }
}

function partsOf(lines: readonly CalculatedLine[], charges: readonly Charged[], decimals: number): readonly TaxPart[] {
  const uses = [
    ...lines.map(({ source, net }) => ({ vat: source.vat, net })),
    ...charges.flatMap(({ source: { vat }, isCharge, amount }) =>
      vat === undefined ? [] : [{ vat, net: isCharge ? amount : subtract(zero, amount) }],
    ),
  ]
  const parts = new Map<string, { vat: Vat; base: Decimal }>()
  for (const { vat, net } of uses) {
    const key = `${vat.category}/${toShortText(rateOf(vat) ?? zero)}`
    const part = parts.get(key)
    const reasons = part?.vat.exemptionReason === undefined && part?.vat.exemptionCode === undefined ? vat : part.vat
    parts.set(key, { vat: reasons, base: add(part?.base ?? zero, net) })
  }
  return [...parts.values()].map(({ vat, base }) => {
    const rate = rateOf(vat)
    return { vat, rate, base, tax: rate === undefined ? zero : divide(multiply(base, rate), hundred, decimals) }
  })
}

/** The rate of VAT in per cent; `undefined` for what is not subject to it. */
export function rateOf({ category, rate }: Vat): Decimal | undefined {
  return category === 'O' ? undefined : decimal(rate ?? '0')
}

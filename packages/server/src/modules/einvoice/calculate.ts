import { Fault } from '@millrace/contract'
import { add, decimal, type Decimal, divide, multiply, round, subtract, sum, toShortText, zero } from './decimal.ts'
import type { Calculated, CalculatedLine, Charged, InvoiceSource, SourceCharge, SourceLine, TaxPart, Vat } from './model.ts'

type Problem = { readonly pointer: string; readonly detail: string }

const hundred = decimal('100')

/** Calculates an invoice exactly; each amount is rounded once, half away from zero, to the decimals of the currency. */
export function calculate(source: InvoiceSource): Calculated {
  const decimals = decimalsOf(source.currency)
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
  return {
    source,
    decimals,
    lines,
    charges,
    parts,
    sums: { lines: sumOfLines, allowances, charges: added, taxExclusive, tax, taxInclusive, prepaid, payable },
  }
}

interface Work {
  readonly decimals: number
  readonly problems: Problem[]
}

/** EN 16931 permits two decimals, so that currencies with three cannot be written. */
function decimalsOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  if (maximumFractionDigits <= 2) return maximumFractionDigits
  const detail = `EN 16931 permits two decimals; ${currency} has ${maximumFractionDigits}.`
  throw new Fault('request_invalid', { errors: [{ pointer: '/currency', detail }] })
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

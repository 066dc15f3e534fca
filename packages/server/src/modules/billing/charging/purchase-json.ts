import type { Purchase } from '#modules/billing/model.ts'

/** A purchase as its row stores it. */
export interface PurchaseJson {
  readonly tier: string
  readonly term: Purchase['term']
  readonly price: number
  readonly country: string | null
  readonly currency: string
  readonly lines: readonly { readonly description: string; readonly net: number }[]
  readonly net: number
  readonly tax: number
  readonly taxBasisPoints: number
  readonly total: number
  readonly credit: number
  readonly rounding?: number
  readonly due: number
  readonly period: { readonly start: string; readonly end: string } | null
  readonly revision?: number
  readonly successUrl: string | null
  readonly cancelUrl: string | null
}

export function purchaseToJson({ tier, term, price, country, totals, period, revision, successUrl, cancelUrl }: Purchase): PurchaseJson {
  return {
    tier,
    term,
    price: Number(price),
    country: country ?? null,
    currency: totals.currency,
    lines: totals.lines.map(({ description, net }) => ({ description, net: Number(net) })),
    net: Number(totals.net),
    tax: Number(totals.tax),
    taxBasisPoints: totals.taxBasisPoints,
    total: Number(totals.total),
    credit: Number(totals.credit),
    ...(totals.rounding === undefined ? {} : { rounding: Number(totals.rounding) }),
    due: Number(totals.due),
    period: period === undefined ? null : { start: period.start.toISOString(), end: period.end.toISOString() },
    ...(revision === undefined ? {} : { revision }),
    successUrl: successUrl ?? null,
    cancelUrl: cancelUrl ?? null,
  }
}

export function purchaseFromJson(json: PurchaseJson): Purchase {
  return {
    tier: json.tier,
    term: json.term,
    price: BigInt(json.price),
    country: json.country ?? undefined,
    totals: {
      currency: json.currency,
      lines: json.lines.map(({ description, net }) => ({ description, net: BigInt(net) })),
      net: BigInt(json.net),
      tax: BigInt(json.tax),
      taxBasisPoints: json.taxBasisPoints,
      total: BigInt(json.total),
      credit: BigInt(json.credit),
      rounding: json.rounding === undefined ? undefined : BigInt(json.rounding),
      due: BigInt(json.due),
    },
    period: json.period === null ? undefined : { start: new Date(json.period.start), end: new Date(json.period.end) },
    revision: json.revision,
    successUrl: json.successUrl ?? undefined,
    cancelUrl: json.cancelUrl ?? undefined,
  }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalsOf } from '#modules/billing/invoicing/invoices.ts'
import { chargeOf, moneyText, share, taxOn } from './money.ts'
import { monthAround, monthsAfter, periodEnd } from './period.ts'
import { prorate } from './proration.ts'

/** An independent calculation: long division in decimal digits, rounded by comparing the remainder with its complement. */
function exactShare(amount: number, numerator: number, denominator: number): number {
  const product = BigInt(Math.abs(amount)) * BigInt(numerator)
  const quotient = Number(product / BigInt(denominator))
  const remainder = Number(product % BigInt(denominator))
  const magnitude = remainder >= denominator - remainder ? quotient + 1 : quotient
  return amount < 0 ? -magnitude : magnitude
}

test('a share of an amount agrees with an independent calculation in 500 cases, halves away from zero', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -10_000_000, max: 10_000_000 }),
      fc.integer({ min: 0, max: 40_000_000 }),
      fc.integer({ min: 1, max: 40_000_000 }),
      (amount, numerator, denominator) => {
        expect(Number(share(BigInt(amount), BigInt(numerator), BigInt(denominator)))).toBe(exactShare(amount, numerator, denominator) + 0)
      },
    ),
    { numRuns: 500 },
  )
  expect([share(5n, 1n, 2n), share(-5n, 1n, 2n), share(1n, 1n, 3n)]).toEqual([3n, -3n, 0n])
})

test.each([
  [1000n, 1900, 190n],
  [2999n, 1900, 570n],
  [333n, 810, 27n],
  [4800n, 1000, 480n],
  [12_345n, 1000, 1235n],
  [1n, 1900, 0n],
  [0n, 1900, 0n],
])('the tax on %d at %d basis points is %d', (net, basisPoints, tax) => {
  expect(taxOn(net, basisPoints)).toBe(tax)
})

test.each([
  [1230n, 'EUR', 'EUR 12.30'],
  [480n, 'JPY', 'JPY 480'],
  [1250n, 'BHD', 'BHD 1.250'],
  [-5n, 'USD', 'USD -0.05'],
])('%d minor units of %s are shown as %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text)
})

test.each([
  ['nothing where credit pays all', 0n, 1000n, 1n, 50n, 0n],
  ['what credit does not pay', 700n, 1000n, 1n, 50n, 700n],
  ['the least charge where credit leaves less', 20n, 1000n, 1n, 50n, 50n],
  ['a total below the least charge as it is', 20n, 40n, 1n, 50n, 20n],
  ['the next step where the total reaches it', 5117n, 5120n, 10n, 10n, 5120n],
  ['the last step of a total between two', 5124n, 5124n, 10n, 10n, 5120n],
  ['nothing of a total below the first step', 4n, 4n, 10n, 10n, 0n],
])('a charge is %s', (_case, wanted, total, step, least, charged) => {
  expect(chargeOf(wanted, total, { step, least })).toBe(charged)
})

test('the amounts of an invoice agree with an independent calculation in 500 cases, with and without credit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1_000_000, max: 10_000_000 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(0, 500, 770, 810, 1000, 1900, 2000, 2550, 2700),
      fc.nat(20_000_000),
      fc.constantFrom('EUR', 'JPY', 'BHD'),
      (nets, taxBasisPoints, balance, currency) => {
        const net = nets.reduce((sum, one) => sum + one, 0)
        fc.pre(net >= 0)
        const lines = nets.map((one) => ({ description: 'x', net: BigInt(one) }))
        const totals = totalsOf(currency, lines, { taxBasisPoints, balance: BigInt(balance) })
        const tax = exactShare(net, taxBasisPoints, 10_000)
        const due = Math.max(0, net + tax - balance)
        expect([totals.net, totals.tax, totals.due, totals.credit].map(Number)).toEqual([net, tax, due, net + tax - due])
      },
    ),
    { numRuns: 500 },
  )
})

describe('periods', () => {
  test.each([
    ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2026-01-31T10:00:00Z', 2, '2026-03-31T10:00:00Z'],
    ['2026-12-31T23:59:59Z', 2, '2027-02-28T23:59:59Z'],
    ['2028-02-29T00:00:00Z', 12, '2029-02-28T00:00:00Z'],
    ['2028-02-29T00:00:00Z', 48, '2032-02-29T00:00:00Z'],
    ['2026-03-15T08:30:00Z', -1, '2026-02-15T08:30:00Z'],
  ])('%s and %d months is %s', (anchor, count, expected) => {
    expect(monthsAfter(new Date(anchor), count)).toEqual(new Date(expected))
  })

  test('a period that began on a shorter month ends on the day of the anchor again', () => {
    const anchor = new Date('2026-01-31T10:00:00Z')
    expect(periodEnd(anchor, new Date('2026-02-28T10:00:00Z'), 'month')).toEqual(new Date('2026-03-31T10:00:00Z'))
    expect(periodEnd(anchor, anchor, 'year')).toEqual(new Date('2027-01-31T10:00:00Z'))
  })

  test('every time lies in exactly one month of an anchor, and months follow without gaps', () => {
    const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(time, time, (anchor, at) => {
        const { start, end } = monthAround(anchor, at)
        expect(start <= at && at < end).toBe(true)
        expect(monthAround(anchor, end).start).toEqual(end)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a change of plan', () => {
  const anchors = fc.date({ min: new Date('2023-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })

  /** The last second of February 2028, in which a leap day is, and times around which clocks change or a zone has another day than UTC. */
  const edges = [
    '2028-02-29T00:00:00Z',
    '2028-02-29T23:59:59Z',
    '2027-02-28T12:00:00Z',
    '2024-01-31T00:00:00Z',
    '2026-08-31T23:59:59Z',
    '2026-12-31T23:59:59Z',
    '2026-03-29T02:30:00+02:00', // clocks go forward in Berlin
    '2026-10-25T02:30:00+01:00', // and back
    '2026-03-08T01:59:59-05:00', // clocks go forward in New York
    '2028-03-01T13:30:00+14:00', // 29 February in UTC, 1 March in Kiritimati
    '2027-12-31T20:00:00-11:00', // 1 January in UTC, 31 December in Pago Pago
  ].map((text) => new Date(text))

  test.each(['month', 'year'] as const)('at an end of a month, a leap day or a change of clocks costs its seconds by the %s', (term) => {
    for (const start of edges) {
      const end = monthsAfter(start, term === 'year' ? 12 : 1)
      // The day of the end, counted apart: that of the start, or the last one of a shorter month.
      const month = (start.getUTCMonth() + (term === 'year' ? 12 : 1)) % 12
      const leap = new Date(Date.UTC(end.getUTCFullYear(), 1, 29)).getUTCDate() === 29
      const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0
      expect([end.getUTCMonth(), end.getUTCDate()]).toEqual([month, Math.min(start.getUTCDate(), days)])
      for (const now of [...edges, start, end, new Date(end.getTime() - 1000), new Date(start.getTime() + 1000)]) {
        if (now < start || now > end) continue
        const result = prorate({ price: 2900n, start, end }, { price: 14_900n, term, sameTerm: true }, now)
        const [rest, whole] = [(end.getTime() - now.getTime()) / 1000, (end.getTime() - start.getTime()) / 1000]
        expect([result.unused, result.charge].map(Number)).toEqual([exactShare(2900, rest, whole), exactShare(14_900, rest, whole)])
      }
    }
  })

  test('costs the share of the remaining seconds in 500 cases', () => {
    fc.assert(
      fc.property(
        anchors,
        fc.constantFrom('month' as const, 'year' as const),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        (start, term, fraction, oldPrice, newPrice) => {
          const end = monthsAfter(start, term === 'year' ? 12 : 1)
          const now = new Date(start.getTime() + Math.floor((end.getTime() - start.getTime()) * fraction))
          const result = prorate({ price: BigInt(oldPrice), start, end }, { price: BigInt(newPrice), term, sameTerm: true }, now)
          const second = (date: Date) => Math.floor(date.getTime() / 1000)
          const [rest, whole] = [second(end) - second(now), second(end) - second(start)]
          expect(Number(result.unused)).toBe(exactShare(oldPrice, rest, whole))
          expect(Number(result.charge)).toBe(exactShare(newPrice, rest, whole))
          expect(result.period).toEqual({ start, end })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('to another term begins a new period, which is charged whole', () => {
    const old = { price: 3000n, start: new Date('2026-04-01T00:00:00Z'), end: new Date('2026-05-01T00:00:00Z') }
    const now = new Date('2026-04-16T00:00:00Z')
    expect(prorate(old, { price: 30_000n, term: 'year', sameTerm: false }, now)).toEqual({
      unused: 1500n,
      charge: 30_000n,
      period: { start: now, end: new Date('2027-04-16T00:00:00Z') },
    })
  })

  test('after the end of the period nothing is left, and before its start everything', () => {
    const old = { price: 3000n, start: new Date('2026-04-01T00:00:00Z'), end: new Date('2026-05-01T00:00:00Z') }
    const wanted = { price: 6000n, term: 'month', sameTerm: true } as const
    expect(prorate(old, wanted, new Date('2026-05-02T00:00:00Z'))).toMatchObject({ unused: 0n, charge: 0n })
    expect(prorate(old, wanted, new Date('2026-03-31T00:00:00Z'))).toMatchObject({ unused: 3000n, charge: 6000n })
  })
})

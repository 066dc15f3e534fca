import { currencyDigits } from '@millrace/contract'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Invoice } from '#modules/billing/model.ts'
import { calculate } from '#modules/einvoice/calculate.ts'
import { toText } from '#modules/einvoice/decimal.ts'
import { share } from '#modules/billing/money/money.ts'
import { createTestServer } from '#testing/server.ts'
import { einvoiceSource } from './einvoice-source.ts'
import { totalsOf } from './invoices.ts'

const issuer = { country: 'DE', vatId: 'DE123456789', companyId: 'HRB 12345' }

function invoiceOf(totals: ReturnType<typeof totalsOf>, parts: Partial<Invoice> = {}): Invoice {
  const at = new Date('2026-03-31T23:59:00Z')
  return {
    ...totals,
    id: '1',
    accountId: 'a',
    issuer: 'Mill AG',
    number: 7,
    kind: 'invoice',
    state: 'open',
    buyer: { name: 'Haddad GmbH', country: 'DE' },
    periodStart: undefined,
    periodEnd: undefined,
    corrects: undefined,
    reason: undefined,
    issuedAt: at,
    paidAt: undefined,
    ...parts,
  }
}

test('an e-invoice of an invoice has its totals to the cent', () => {
  const net = fc.bigInt({ min: -1_000_000_000n, max: 10_000_000_000n })
  fc.assert(
    fc.property(
      fc.array(net, { minLength: 1, maxLength: 4 }).filter((nets) => nets.reduce((sum, one) => sum + one, 0n) >= 0n),
      fc.integer({ min: 0, max: 2_700 }),
      fc.bigInt({ min: 0n, max: 1_000_000n }),
      fc.constantFrom('EUR', 'HUF', 'JPY', 'MGA', 'USD'),
      (nets, taxBasisPoints, balance, currency) => {
        const totals = totalsOf(
          currency,
          nets.map((one, index) => ({ description: `Line ${index}`, net: one })),
          { taxBasisPoints, balance },
        )
        const { sums } = calculate(einvoiceSource(invoiceOf(totals), issuer, undefined))
        const minor = (name: keyof typeof sums) => BigInt(toText(sums[name], currencyDigits(currency)).replace('.', ''))
        expect([minor('taxExclusive'), minor('tax'), minor('taxInclusive'), minor('payable')]).toEqual([
          totals.net,
          totals.tax,
          totals.total,
          totals.due,
        ])
      },
    ),
  )
})

test('an e-invoice of a refund has its total, whatever part of an invoice was paid back', () => {
  for (let gross = 1n; gross < 500n; gross++) {
    const tax = share(gross, 1_900n, 11_900n)
    const net = gross - tax
    const amounts = { net, tax, taxBasisPoints: 1_900, total: gross, credit: 0n, due: gross }
    const note = invoiceOf({ ...amounts, currency: 'EUR', lines: [{ description: 'Refund', net }] }, { kind: 'credit_note' })
    expect(toText(calculate(einvoiceSource(note, issuer, undefined)).sums.payable, 2).replace('.', '')).toBe(String(gross).padStart(3, '0'))
  }
})

test('an e-invoice of an invoice in dinars has its totals, or is refused where it needs thousandths', () => {
  const of = (net: bigint) =>
    calculate(
      einvoiceSource(invoiceOf(totalsOf('BHD', [{ description: 'Pro', net }], { taxBasisPoints: 1_000, balance: 0n })), issuer, undefined),
    )
  expect(toText(of(12_000n).sums.payable, 3)).toBe('13.200')
  expect(() => of(12_005n)).toThrow(expect.objectContaining({ code: 'request_invalid' }))
})

test.each([
  ['a country of the issuer', { ...issuer, country: undefined }, 'DE', 1_900, 'MILLRACE_BILLING_ISSUER_COUNTRY'],
  ['an identifier of VAT, with tax', { ...issuer, vatId: undefined }, 'DE', 1_900, 'MILLRACE_BILLING_ISSUER_VAT_ID'],
  ['a number of registration, without tax', { ...issuer, companyId: undefined }, 'DE', 0, 'MILLRACE_BILLING_ISSUER_COMPANY_ID'],
  ['a country of the buyer', issuer, null, 1_900, 'no country of its buyer'],
])('an invoice without %s is refused with what is missing', (_what, details, country, taxBasisPoints, missing) => {
  const totals = totalsOf('EUR', [{ description: 'Pro', net: 100n }], { taxBasisPoints, balance: 0n })
  expect(() => einvoiceSource(invoiceOf(totals, { buyer: { name: 'Haddad GmbH', country } }), details, undefined)).toThrow(
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining(missing) }),
  )
})

test('invoices and credit notes of the account become e-invoices that pass every rule', async () => {
  await using server = await createTestServer({
    MILLRACE_BILLING_ISSUER: 'Mill AG',
    MILLRACE_BILLING_ISSUER_COUNTRY: issuer.country,
    MILLRACE_BILLING_ISSUER_VAT_ID: issuer.vatId,
    MILLRACE_BILLING_ISSUER_COMPANY_ID: issuer.companyId,
    MILLRACE_TAX_RATES: 'DE:19',
  })
  const operator = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${operator.userId}`.execute(server.database.system)
  for (const country of ['DE', 'CH']) {
    const account = await server.registerAccount()
    const { body: me } = await account.send('GET', '/api/v1/auth/me')
    const plan = { accountId: me.account.id, tier: 'enterprise', months: 12, price: { amount: 100_050, currency: 'EUR' } }
    await operator.send('POST', '/api/v1/billing/manual-activate', { ...plan, country })
    const { body: list } = await account.send('GET', '/api/v1/billing/invoices')
    await operator.send('POST', '/api/v1/billing/credit-notes', { invoiceId: list.data[0].id, net: 5_025, reason: 'Late start.' })
    const { body: all } = await account.send('GET', '/api/v1/billing/invoices')
    expect(all.data.map(({ kind }: Invoice) => kind)).toEqual(['credit_note', 'invoice'])
    for (const invoice of all.data) {
      const { status, body } = await account.send('POST', '/api/v1/einvoice/from-invoice', { invoiceId: invoice.id })
      expect(body).toMatchObject({ number: String(invoice.number), kind: invoice.kind, validation: { findings: [] } })
      expect([status, body.totals.tax, body.totals.payable]).toEqual([200, invoice.tax, invoice.due])
      if (invoice.kind === 'credit_note') expect(body.xml).toContain('<cbc:ID>' + list.data[0].number + '</cbc:ID>')
    }
    expect((await operator.send('POST', '/api/v1/einvoice/from-invoice', { invoiceId: list.data[0].id })).status).toBe(404)
  }
})

import * as fc from 'fast-check'

const money = fc.integer({ min: 0, max: 5_000_000 }).map((cents) => (cents / 100).toFixed(2))
const percent = fc.constantFrom('0.5', '3', '12.5', '33.333')
const text = fc.constantFrom('Workshop', 'Mühle & Söhne', 'استشارة', 'a < b', '"quoted"', 'Łódź')

/** The categories that one invoice may mix, and what they need. */
const categories = fc.constantFrom(
  [{ category: 'S', rate: '19' }, { category: 'S', rate: '7' }, { category: 'Z' }, { category: 'E', exemptionReason: 'Exempt by law' }],
  [{ category: 'K' }],
  [{ category: 'AE' }, { category: 'S', rate: '19' }],
  [{ category: 'G' }],
  [{ category: 'O' }],
  [{ category: 'L', rate: '7' }],
  [{ category: 'M', rate: '10' }],
)

function partsOf(vats: readonly object[]) {
  const vat = fc.constantFrom(...vats)
  const reason = fc.record({ reason: text })
  const charge = fc
    .tuple(reason, fc.oneof(fc.record({ amount: money }), fc.record({ percent })))
    .map(([one, other]) => ({ ...one, ...other }))
  const charges = fc.array(charge, { maxLength: 2 })
  const documentCharges = fc.array(
    fc.tuple(charge, vat).map(([one, of]) => ({ ...one, vat: of })),
    { maxLength: 2 },
  )
  const line = fc.record(
    {
      name: text,
      description: text,
      quantity: fc.constantFrom('1', '3', '0.333', '1000', '-2', '2.5'),
      unit: fc.constantFrom('C62', 'HUR', 'KGM'),
      unitPrice: fc.constantFrom('0', '0.01', '33.335', '450.00', '1234.5678'),
      priceQuantity: fc.constantFrom('1', '100'),
      allowances: charges,
      charges,
      vat,
      sellerItemId: fc.constant('SKU-1'),
      note: text,
    },
    { requiredKeys: ['name', 'quantity', 'unitPrice', 'vat'] },
  )
  return { lines: fc.array(line, { minLength: 1, maxLength: 5 }), documentCharges }
}

const party = (name: string, country: string, vatId: string) =>
  fc.record(
    {
      name: fc.constant(name),
      tradeName: text,
      vatId: fc.constant(vatId),
      companyId: fc.constant('HRB 1'),
      address: fc.constant({ street: 'Mühlweg', city: 'Berlin', postcode: '10115', country }),
      contact: fc.constant({ name: 'Ada', email: 'ada@example.com' }),
    },
    { requiredKeys: ['name', 'vatId', 'address'] },
  )

/** Requests for valid invoices and credit notes of the European profile, of all kinds and categories. */
export const invoiceSources = categories.chain((vats) => {
  const { lines, documentCharges } = partsOf(vats)
  // Not subject to VAT: neither party may name an identifier of it.
  const isOutside = vats.some(({ category }) => category === 'O')
  const sellers = isOutside
    ? fc.constant({ name: 'Mill AG', companyId: 'HRB 1', address: { city: 'Berlin', country: 'DE' } })
    : party('Mill AG', 'DE', 'DE123456789')
  const buyers = isOutside ? fc.constant({ name: 'Club', address: { country: 'DE' } }) : party('Moulin SA', 'FR', 'FR12345678901')
  return fc.record(
    {
      kind: fc.constantFrom('invoice', 'credit_note'),
      number: fc.constantFrom('2026-1', 'R/7'),
      issueDate: fc.constantFrom('2026-11-23', '2028-02-29'),
      dueDate: fc.constant('2028-12-31'),
      currency: fc.constantFrom('EUR', 'USD', 'JPY', 'SAR'),
      note: text,
      buyerReference: fc.constant('B-1'),
      orderReference: fc.constant('O-1'),
      precedingInvoice: fc.constant({ number: '2026-0', issueDate: '2026-11-01' }),
      period: fc.constant({ start: '2026-11-01', end: '2026-11-30' }),
      delivery: fc.constant({ date: '2026-11-20', country: 'FR' }),
      seller: sellers,
      buyer: buyers,
      payment: fc.constantFrom({ means: '58', account: 'DE02120300000000202051', terms: '30 days' }, { means: '10', terms: 'Cash' }),
      allowances: documentCharges,
      charges: documentCharges,
      prepaid: fc.constantFrom('10', '0.5'),
      rounding: fc.constantFrom('0.02', '-0.01'),
      lines,
    },
    { requiredKeys: ['kind', 'number', 'currency', 'seller', 'buyer', 'lines', 'payment', 'delivery', 'period', 'dueDate'] },
  )
})

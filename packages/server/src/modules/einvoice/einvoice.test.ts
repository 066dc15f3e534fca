import { einvoice } from '@millrace/contract'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMigrations } from '#compose/migrations.ts'
import { createPrinter } from '#modules/printing/index.ts'
import { createSealing } from '#platform/sealing/sealing.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { hashOf } from './document-hash.ts'
import { readEinvoiceFile } from '#compose/verify-einvoices.ts'
import { createEinvoices } from './einvoice-service.ts'
import { readUbl } from './ubl/read-xml.ts'
import { verifyEinvoices } from './verify-einvoices.ts'
import { createEinvoiceWork } from './work/einvoice-work.ts'

const run = promisify(execFile)
const path = '/api/v1/einvoice/generate'
let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const party = (name: string, vatId: string) => ({ name, vatId, address: { city: 'Berlin', country: 'DE' } })
const invoice = {
  number: '2026-1',
  currency: 'EUR',
  seller: party('Mühle & Söhne AG', 'DE123456789'),
  buyer: party('Haddad GmbH', 'DE987654321'),
  lines: [{ name: 'Workshop', quantity: '3', unitPrice: '33.335', vat: { rate: '19' } }],
}

async function has(command: string): Promise<boolean> {
  return run('which', [command]).then(
    () => true,
    () => false,
  )
}

describe('an e-invoice', () => {
  test('in a currency with three decimals has amounts with two, and totals in thousandths', async () => {
    const lines = [{ name: 'Pro, 1 month', quantity: '1', unitPrice: '12.000', vat: { rate: '10' } }]
    const { status, body } = await account.send('POST', path, { ...invoice, currency: 'BHD', lines })
    expect(status).toBe(200)
    expect(body.totals).toMatchObject({ taxExclusive: 12_000, tax: 1_200, payable: 13_200 })
    expect(body.xml).toContain('<cbc:PayableAmount currencyID="BHD">13.20</cbc:PayableAmount>')
    expect(body.validation).toMatchObject({ findings: [] })
  })

  test.each([
    ['lines', { lines: [{ name: 'x', quantity: '999999999999', unitPrice: '999999999999', vat: { rate: '19' } }] }],
    ['charges', { charges: Array.from({ length: 50 }, () => ({ amount: '999999999999.99', reason: 'x', vat: { rate: '100' } })) }],
  ])('whose %s total more than can be stated exactly is refused', async (_what, parts) => {
    const { status, body } = await account.send('POST', path, { ...invoice, ...parts })
    expect([status, body.code]).toEqual([400, 'request_invalid'])
    expect(body.errors).toEqual([{ pointer: '/lines', detail: expect.stringContaining('90071992547409.91 EUR') }])
  })

  test('has no character that XML has not', async () => {
    const refused = await account.send('POST', path, { ...invoice, note: 'from a PDF \uffff' })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/note' }] } })
  })

  test('keeps the decimals of a currency whose decimals people rarely write', async () => {
    const lines = [{ name: 'Gas, m³', quantity: '2.5', unitPrice: '610.35', vat: { rate: '27' } }]
    const { status, body } = await account.send('POST', path, { ...invoice, currency: 'HUF', lines })
    expect(status).toBe(200)
    // 1525.875 is rounded to 1525.88, and 27 % of it to 411.99.
    expect(body.totals).toMatchObject({ taxExclusive: 152_588, tax: 41_199, payable: 193_787 })
    expect(body.xml).toContain('<cbc:PayableAmount currencyID="HUF">1937.87</cbc:PayableAmount>')
  })

  test('has exact totals in minor units, a legalStatus that claims nothing, and passes every rule', async () => {
    const { status, body } = await account.send('POST', path, {
      ...invoice,
      number: '2026-2',
      allowances: [{ percent: '10', reason: 'Loyalty', vat: { rate: '19' } }],
      charges: [{ amount: '5.00', reason: 'Freight', vat: { rate: '7' } }],
      prepaid: '20.00',
    })
    expect(status).toBe(200)
    // 100.01 less 10.00 plus 5.00; 19 % of 90.01 and 7 % of 5.00.
    expect(body.totals).toMatchObject({
      lines: 10001,
      allowances: 1000,
      charges: 500,
      taxExclusive: 9501,
      tax: 1745,
      taxInclusive: 11246,
      payable: 9246,
    })
    expect(body.legalStatus).toMatchObject({ development: true, clearance: 'none', certification: 'none', submission: 'unavailable' })
    expect(body.validation).toMatchObject({ findings: [] })
    expect(body.validation.rules).toBeGreaterThan(200)
  })

  test('is one of a chain without gaps, also when several are made at once', async () => {
    const own = await server.registerAccount()
    const made = await Promise.all([1, 2, 3, 4].map((number) => own.send('POST', path, { ...invoice, number: `C-${number}` })))
    const chain = made.map(({ body }) => body).toSorted((a, b) => a.counter - b.counter)
    expect(chain.map(({ counter }) => counter)).toEqual([1, 2, 3, 4])
    for (const [index, { xml, hash, previousHash }] of chain.entries()) {
      expect(hashOf(await readUbl(xml))).toBe(hash)
      if (index > 0) expect(previousHash).toBe(chain[index - 1]?.hash)
      expect(xml).toContain(previousHash)
    }
  })

  test('that violates a rule is refused with the rule and a pointer, and uses up no number of the chain', async () => {
    const own = await server.registerAccount()
    const { vatId: _, ...unknown } = party('Nameless AG', '')
    const refused = await own.send('POST', path, { ...invoice, seller: unknown })
    expect(refused).toMatchObject({ status: 422, body: { code: 'einvoice_invalid' } })
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ pointer: '/seller', detail: expect.stringContaining('BR-CO-26') }))
    expect(refused.body.findings.map(({ rule }: { rule: string }) => rule)).toContain('BR-S-02')
    expect((await own.send('POST', path, invoice)).body.counter).toBe(1)
  })

  test('with a number that the account has used is made with a warning', async () => {
    const own = await server.registerAccount()
    expect((await own.send('POST', path, invoice)).body.validation.findings).toEqual([])
    const again = await own.send('POST', path, invoice)
    expect(again.body.validation.findings).toMatchObject([{ rule: 'number-used', severity: 'warning' }])
  })

  test('has identifiers of VAT without the blanks that they were given with', async () => {
    const { body } = await account.send('POST', path, { ...invoice, seller: party('Mill AG', 'DE 123 456 789') })
    expect(body.xml).toContain('<cbc:CompanyID>DE123456789<')
  })

  test.each([
    ['DE89 3704 0044 0532 0130 00', '58', 200],
    ['de89370400440532013000', '30', 200],
    ['0532013000', '30', 200],
    ['DE89 3704 0044 0532 0130 01', '30', 422],
    ['DE89 3704 0044 0532 0130', '30', 422],
    ['0532013000', '58', 422],
  ])('to the account %s by means %s is replied to with %i', async (number, means, expected) => {
    const { status, body } = await account.send('POST', path, { ...invoice, payment: { means, account: number } })
    expect(status).toBe(expected)
    if (expected === 422) expect(body).toMatchObject({ code: 'einvoice_invalid', errors: [{ pointer: '/payment/account' }] })
  })

  test.each([
    [
      'an amount that needs a third decimal',
      { currency: 'BHD', lines: [{ name: 'x', quantity: '1', unitPrice: '0.125', vat: { rate: '0', category: 'Z' } }] },
      '/lines/0',
    ],
    [
      'a tax that needs a third decimal',
      { currency: 'BHD', lines: [{ name: 'x', quantity: '1', unitPrice: '1.25', vat: { rate: '10' } }] },
      '/currency',
    ],
    ['a price that is no decimal', { lines: [{ name: 'x', quantity: '1', unitPrice: '1,5', vat: {} }] }, '/lines/0/unitPrice'],
    ['an allowance with neither amount nor percent', { allowances: [{ reason: 'x', vat: {} }] }, '/allowances/0'],
    ['an allowance without VAT', { allowances: [{ reason: 'x', amount: '1' }] }, '/allowances/0/vat'],
  ])('with %s is refused with a pointer', async (_, wrong, pointer) => {
    const { status, body } = await account.send('POST', path, { ...invoice, ...wrong })
    expect(status).toBe(400)
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  })

  test('of the Saudi profiles is an invoice with identifier, chain and type, and names what the profile misses', async () => {
    const address = { street: 'King Fahd Road', building: '1234', district: 'Olaya', city: 'Riyadh', postcode: '12345', country: 'SA' }
    const seller = { name: 'شركة الرحى', vatId: '300000000000003', companyId: '1010010000', companyScheme: 'CRN', address }
    const { buyer: _, ...rest } = { ...invoice, currency: 'SAR', seller }
    const simplified = await account.send('POST', path, { ...rest, profile: 'zatca-simplified' })
    expect([simplified.status, simplified.body.errors]).toEqual([200, undefined])
    expect(simplified.body.xml).toContain('<cbc:InvoiceTypeCode name="0200000">388</cbc:InvoiceTypeCode>')
    const tlv = Buffer.from(simplified.body.qr.tlv, 'base64')
    expect(tlv.subarray(2, 2 + (tlv[1] ?? 0)).toString()).toBe('شركة الرحى')
    const missing = await account.send('POST', path, { ...rest, profile: 'zatca-standard', currency: 'USD' })
    expect(missing.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/currency', '/buyer'])
  })
})

describe('the documents of an account', () => {
  const at = '/api/v1/einvoice'

  test('are listed newest first, page by page, and found by a part of their number or by all of it', async () => {
    const own = await server.registerAccount()
    for (const number of ['A-1', 'A-10', 'B_1']) await own.send('POST', path, { ...invoice, number })
    const numbers = async (query: string) =>
      (await own.send('GET', `${at}?${query}`)).body.data.map((one: { number: string }) => one.number)
    expect(await numbers('')).toEqual(['B_1', 'A-10', 'A-1'])
    expect(await numbers('search=a-1')).toEqual(['A-10', 'A-1'])
    expect(await numbers('search=_')).toEqual(['B_1'])
    expect(await numbers('number=A-1')).toEqual(['A-1'])
    const { body: first } = await own.send('GET', `${at}?limit=2`)
    expect(await numbers(`limit=2&cursor=${first.nextCursor}`)).toEqual(['A-1'])
    expect(first.data[0]).toMatchObject({ buyer: 'Haddad GmbH', currency: 'EUR', total: 11901, findings: [], counter: 3 })
    expect((await account.send('GET', `${at}?number=B_1`)).body.data).toEqual([])
  })

  test('of a currency whose totals were stored in whole units have them in minor units after the migration', async () => {
    const own = await server.registerAccount()
    const { body: made } = await own.send('POST', path, { ...invoice, currency: 'HUF' })
    const { body: other } = await own.send('POST', path, { ...invoice, number: '2026-2' })
    const { system } = server.database
    await sql`
      update einvoices set summary = jsonb_set(summary, '{totals}', (
        select jsonb_object_agg(key, value::numeric / 100) from jsonb_each_text(summary -> 'totals')))
      where account_id = ${own.accountId} and summary ->> 'currency' = 'HUF'`.execute(system)
    const migration = (await readMigrations()).find(({ name }) => name === 'einvoice_minor_units')
    await sql.raw(migration?.sql ?? '').execute(system)
    for (const each of [made, other]) expect((await own.send('GET', `${at}/${each.id}`)).body).toEqual(each)
  })

  test('are read as they were made, also those that were stored without a summary', async () => {
    const own = await server.registerAccount()
    const sources = [
      invoice,
      {
        ...invoice,
        kind: 'credit_note',
        precedingInvoice: { number: '2026-1' },
        allowances: [{ amount: '1', reason: 'x', vat: { rate: '19' } }],
      },
    ]
    for (const source of sources) {
      const { body: made } = await own.send('POST', path, { ...source, number: `${sources.indexOf(source)}` })
      const read = () => own.send('GET', `${at}/${made.id}`)
      expect((await read()).body).toEqual(made)
      await sql`update einvoices set summary = null where account_id = ${own.accountId}`.execute(server.database.system)
      expect((await read()).body).toEqual(made)
      expect((await account.send('GET', `${at}/${made.id}`)).status).toBe(404)
    }
  })
})

test('a call of a workflow that is repeated, or performed twice at once, makes one document and gives it each time', async () => {
  const own = await server.registerAccount()
  const root = { version: 1, secret: randomBytes(32) }
  const sealing = createSealing({ roots: { current: async () => root, of: async () => root }, randomBytes })
  const parts = { sealing, work: createEinvoiceWork(), printer: createPrinter() }
  const service = createEinvoices({ ...parts, now: () => new Date(), newId: randomUUID, randomBytes })
  const { body } = einvoice.generate
  const source = body?.parse(invoice)
  const generate = (call: string) =>
    server.database.account(own.accountId, async (tx) => source && service.generate(tx, own.accountId, source, call))
  const made = await Promise.all([generate('call 1'), generate('call 1'), generate('call 2')])
  expect(made[0]?.id).toBe(made[1]?.id)
  expect(await generate('call 1')).toEqual(made[0])
  const { data } = (await own.send('GET', '/api/v1/einvoice')).body
  expect(data.map(({ counter }: { counter: number }) => counter)).toEqual([2, 1])
})

describe('the QR code', () => {
  test('is read back by a scanner', async ({ skip }) => {
    if (!(await has('zbarimg'))) skip('Needs zbarimg (zbar-tools).')
    const { body } = await account.send('POST', path, invoice)
    await inFolder(async (folder) => {
      const file = join(folder, 'qr.png')
      await writeFile(file, Buffer.from(body.qr.png, 'base64'))
      expect((await run('zbarimg', ['--quiet', '--raw', file])).stdout.trim()).toBe(body.qr.tlv)
    })
  })
})

describe('a signature', () => {
  const sign = (id: string) => account.send('POST', '/api/v1/einvoice/sign', { id })

  test('is verified by xmlsec1, which refuses a changed byte', async ({ skip }) => {
    if (!(await has('xmlsec1'))) skip('Needs xmlsec1.')
    const { body: made } = await account.send('POST', path, invoice)
    const { status, body: signed } = await sign(made.id)
    expect(status).toBe(200)
    await inFolder(async (folder) => {
      const [certificate, file] = [join(folder, 'certificate.pem'), join(folder, 'invoice.xml')]
      await writeFile(certificate, signed.certificate)
      const verify = () => run('xmlsec1', ['--verify', '--trusted-pem', certificate, '--id-attr:Id', 'SignedProperties', file])
      await writeFile(file, signed.xml)
      expect((await verify()).stderr).toContain('OK')
      await writeFile(file, signed.xml.replace('<cbc:ID>2026-1<', '<cbc:ID>2026-2<'))
      await expect(verify()).rejects.toThrow(/Command failed/)
    })
    expect(hashOf(await readUbl(signed.xml))).toBe(made.hash)
  })

  test('is made with one development certificate of the account, and says that it is no clearance', async () => {
    const { body: made } = await account.send('POST', path, invoice)
    const [first, second] = await Promise.all([sign(made.id), sign(made.id)])
    expect(second.body.fingerprint).toBe(first.body.fingerprint)
    expect(first.body.legalStatus).toMatchObject({ development: true, clearance: 'none', submission: 'unavailable' })
  })

  test('is not for the e-invoices of other accounts', async () => {
    const other = await server.registerAccount()
    const { body: made } = await other.send('POST', path, invoice)
    expect(await sign(made.id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('verification by files alone', () => {
  const problemsOf = async (files: readonly { name: string; xml: string; qr?: string }[]) =>
    (await verifyEinvoices(files.map((file) => ({ qr: undefined, ...file })))).map(({ problems }) => problems.map(({ kind }) => kind))

  test('accepts a signed chain with its QR code, and names what was changed', async () => {
    const seller = await server.registerAccount()
    const made = []
    for (let at = 0; at < 3; at++) made.push((await seller.send('POST', path, { ...invoice, number: `2026-${at}` })).body)
    const signed = (await seller.send('POST', '/api/v1/einvoice/sign', { id: made[1].id })).body
    const files = [
      { name: 'a', xml: made[0].xml, qr: made[0].qr.tlv },
      { name: 'b', xml: signed.xml, qr: signed.qr.tlv },
      { name: 'c', xml: made[2].xml },
    ]
    expect(await problemsOf(files)).toEqual([[], [], []])
    const [reportOfSigned] = (await verifyEinvoices([{ name: 'b', xml: signed.xml, qr: undefined }])).map(({ signature }) => signature)
    expect(reportOfSigned).toMatchObject({
      isValid: true,
      fingerprint: signed.fingerprint,
      subject: expect.stringContaining('development'),
    })
    const changed = (xml: string) => xml.replace('<cbc:ID>2026-1<', '<cbc:ID>2026-7<')
    expect(await problemsOf([files[0], { name: 'b', xml: changed(signed.xml) }, files[2]].flatMap((file) => file ?? []))).toEqual([
      [],
      ['signature'],
      ['chain'],
    ])
    expect(await problemsOf([files[0], files[2]].flatMap((file) => file ?? []))).toEqual([[], ['chain']])
    expect(await problemsOf([{ name: 'a', xml: made[0].xml.replace(/(<cbc:PayableAmount[^>]*>)[^<]*/, '$11.00') }])).toEqual([['rule']])
    const codeOfOther = { ...invoice, number: 'x', lines: [{ name: 'Other', quantity: '1', unitPrice: '1.00', vat: { rate: '19' } }] }
    const other = (await seller.send('POST', path, codeOfOther)).body
    expect(await problemsOf([{ name: 'a', xml: made[0].xml, qr: other.qr.tlv }])).toEqual([['qr', 'qr']])
    expect(await problemsOf([{ name: 'x', xml: '<a/>' }])).toEqual([['structure']])
  })

  test('reads the XML inside of the PDF, which is that of the document', async () => {
    const { body: made } = await account.send('POST', path, invoice)
    const response = await fetch(`${server.url}/api/v1/einvoice/${made.id}/pdf`, { headers: { authorization: `Bearer ${account.token}` } })
    expect(response.headers.get('content-type')).toBe('application/pdf')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(await readEinvoiceFile(bytes)).toBe(made.xml)
  })

  test('of a long document, which is made, signed and printed in other threads, is the same', async () => {
    const own = await server.registerAccount()
    const { status, body: made } = await own.send('POST', path, { ...invoice, lines: Array.from({ length: 70 }, () => invoice.lines[0]) })
    expect(status).toBe(200)
    const { body: signed } = await own.send('POST', '/api/v1/einvoice/sign', { id: made.id })
    expect(await problemsOf([{ name: 'a', xml: signed.xml, qr: signed.qr.tlv }])).toEqual([[]])
    const pdf = await fetch(`${server.url}/api/v1/einvoice/${made.id}/pdf`, { headers: { authorization: `Bearer ${own.token}` } })
    expect(await readEinvoiceFile(Buffer.from(await pdf.arrayBuffer()))).toBe(made.xml)
  })
})

test.each([
  ['<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', /document type/],
  ['<a/>', /not a UBL/],
  ['<a>', /well-formed/],
])('%s is not read as an invoice', async (text, problem) => {
  await expect(readUbl(text)).rejects.toThrow(problem)
})

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-einvoice-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const party = (name: string, vatId: string) => ({ name, vatId, address: { city: 'Berlin', country: 'DE' } })
const invoice = {
  number: 'A/7',
  currency: 'EUR',
  seller: party('Mill AG', 'DE 123 456 789'),
  buyer: party('Haddad GmbH', 'DE987654321'),
  lines: [{ name: 'Workshop', quantity: 2, unitPrice: 450.5, vat: { rate: 19 } }],
}

test('a workflow makes an e-invoice of an order, and reads its files for a mail', async () => {
  const end = await runTasks(account, [
    { make: { call: 'einvoice.create', with: invoice, export: { as: '{ made: . }' } } },
    {
      read: {
        call: 'files.get',
        with: { name: '${ $context.made.pdf.name }' },
        output: { as: '{ made: $context.made, start: .contentBase64[0:8] }' },
      },
    },
  ])
  const { made, start } = end.output
  expect(made).toMatchObject({ number: 'A/7', counter: 1, currency: 'EUR', total: 107219, findings: [] })
  expect([made.xml.name, made.pdf.name]).toEqual(['e-invoices/A-7-1.xml', 'e-invoices/A-7-1.pdf'])
  expect(Buffer.from(start, 'base64').toString()).toMatch(/^%PDF-/)
  expect((await account.send('GET', `/api/v1/einvoice/${made.id}`)).body).toMatchObject({ number: 'A/7' })
})

test('an order that makes no valid e-invoice ends the workflow with what is wrong, unless it is validated before', async () => {
  const { vatId: _, ...seller } = invoice.seller
  const faulted = await runTasks(account, [{ make: { call: 'einvoice.create', with: { ...invoice, seller } } }])
  expect(faulted).toMatchObject({ state: 'faulted', error: { status: 400, detail: expect.stringContaining('BR-CO-26') } })
  const judged = await runTasks(account, [{ judge: { call: 'einvoice.validate', with: { ...invoice, seller } } }])
  expect(judged.output).toMatchObject({ valid: false, errors: expect.arrayContaining([expect.objectContaining({ pointer: '/seller' })]) })
  const valid = await runTasks(account, [{ judge: { call: 'einvoice.validate', with: invoice } }])
  expect(valid.output).toEqual({ valid: true, errors: [], findings: [] })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/livecapture'
const at = '2026-01-05T09:00:00Z'

async function start(account: TestAccount, more: object = {}) {
  return (await account.send('POST', `${path}/session/start`, { name: 'Order a chair', ...more })).body
}
const send = (account: TestAccount, sessionId: string, more: object) => account.send('POST', `${path}/events`, { sessionId, ...more })

test('typed values are replaced in addresses, and a value that contains another one is replaced as a whole', async () => {
  const account = await server.registerAccount()
  const { id } = await start(account)
  const url = 'https://shop.example.com/people/Anna%20Byron/orders?mail=anna.byron%40example.com&item=⟦response:9:/Anna/id⟧'
  const events = [
    { sequence: 1, at, kind: 'change', field: 'first', value: 'Anna' },
    { sequence: 2, at, kind: 'change', field: 'whole', value: 'Anna Byron' },
    { sequence: 3, at, kind: 'change', field: 'mail', value: 'anna.byron@example.com' },
    { sequence: 4, at, kind: 'change', field: 'topic', value: 'input' },
    { sequence: 5, at, kind: 'request', url, request: { method: 'POST', url, status: 200, body: { note: 'From Anna Byron: input' } } },
  ]
  await send(account, id, { events })
  const { data } = (await account.send('GET', `${path}/session/${id}`)).body
  const masked = 'https://shop.example.com/people/⟦input:whole⟧/orders?mail=⟦input:mail⟧&item=⟦response:9:/Anna/id⟧'
  expect(data[4]).toMatchObject({ url: masked, request: { url: masked, body: { note: 'From ⟦input:whole⟧: ⟦input:topic⟧' } } })
})

test('what is typed into a field for a secret of a page that rrweb recorded is dropped even without masking', async () => {
  const account = await server.registerAccount()
  const { id } = await start(account, { maskInputs: false })
  const field = (fieldId: number, attributes: object) => ({ type: 2, id: fieldId, tagName: 'input', attributes, childNodes: [] })
  const fields = [
    field(2, { name: 'card', autocomplete: 'cc-number' }),
    field(3, { name: 'pin', type: 'password' }),
    field(4, { name: 'city' }),
  ]
  const typed = (fieldId: number, text: string) => ({ type: 3, timestamp: 3, data: { source: 5, id: fieldId, text, isChecked: false } })
  const page = [
    { type: 4, timestamp: 1, data: { href: 'https://shop.example.com/' } },
    { type: 2, timestamp: 2, data: { node: { type: 0, id: 1, childNodes: fields } } },
    typed(3, 'secret 4711'),
  ]
  await send(account, id, { rrweb: page })
  // Field 9 is on no page that is known.
  await send(account, id, { rrweb: [typed(2, '4111 1111 1111 1111'), typed(4, 'London'), typed(9, 'secret 0815')], firstSequence: 4 })
  const recording = {
    title: 'pay',
    steps: [{ type: 'change', selectors: [['aria/Card number'], ['#cc-number']], value: '4111 1111 1111 1111' }],
  }
  await send(account, id, { recording, firstSequence: 9 })
  const kept = JSON.stringify((await account.send('GET', `${path}/session/${id}`)).body)
  expect(kept).toContain('London')
  expect(kept).not.toMatch(/4111|4711|0815/)
})

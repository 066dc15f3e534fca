import { expect, test } from 'vitest'
import { callWithConnection } from './call-with-connection.ts'

test.each([
  ['https://shop.example/orders/7?x=1', '/orders/7?x=1'],
  ['https://shop.example', undefined],
  ['https://shop.example/orders/{order}/lines', '${ "/orders/\\(.order | @uri)/lines" }'],
  ['${ "https://shop.example/orders/\\(.order | @uri)" }', '${ "/orders/\\(.order | @uri)" }'],
  ['${ .url }', undefined],
  ['${ "https://\\(.host)/orders" }', undefined],
])('the path of a request to %s is %s', (endpoint, path) => {
  for (const given of [endpoint, { uri: endpoint, authentication: { use: 'shop' } }]) {
    const task = callWithConnection({ call: 'http', with: { method: 'get', endpoint: given } }, 'shop')
    expect(task).toEqual({ call: 'http.request', with: { connection: 'shop', ...(path === undefined ? {} : { path }), method: 'get' } })
  }
})

test('a request with a connection keeps all but its credentials', () => {
  const task = callWithConnection(
    {
      call: 'http',
      with: {
        method: 'post',
        endpoint: 'https://shop.example/orders',
        headers: { 'X-API-Key': 'k', accept: 'application/json' },
        body: { a: 1 },
        output: 'response',
      },
      output: { as: '.content' },
    },
    'shop',
  )
  expect(task).toEqual({
    call: 'http.request',
    with: {
      connection: 'shop',
      path: '/orders',
      method: 'post',
      body: { a: 1 },
      output: 'response',
      headers: { accept: 'application/json' },
    },
    output: { as: '.content' },
  })
})

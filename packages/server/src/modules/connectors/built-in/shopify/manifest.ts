import { inPath, inQuery, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const order_id = inPath()

/** Source: https://shopify.dev/docs/api/admin-rest. */
export const shopify = {
  connector: '1.0',
  title: 'Shopify',
  servers: ['https://your-shop.myshopify.com'],
  authentication: { kind: 'apiKey', in: 'header', name: 'X-Shopify-Access-Token' },
  operations: [
    {
      name: 'listOrders',
      summary: 'Lists orders.',
      method: 'get',
      path: '/admin/api/2025-01/orders.json',
      parameters: {
        status: inQuery({ enum: ['open', 'closed', 'cancelled', 'any'] }),
        created_at_min: inQuery(text()),
        updated_at_min: inQuery(text()),
        since_id: inQuery(text()),
        fields: inQuery(text(2_000)),
        limit: inQuery(whole(1, 250)),
      },
    },
    {
      name: 'getOrder',
      summary: 'Reads an order.',
      method: 'get',
      path: '/admin/api/2025-01/orders/{order_id}.json',
      parameters: { order_id },
    },
    {
      name: 'updateOrder',
      summary: 'Changes tags, the note or the address of an order.',
      method: 'put',
      path: '/admin/api/2025-01/orders/{order_id}.json',
      parameters: { order_id, order: neededInBody(record) },
    },
    {
      name: 'listProducts',
      summary: 'Lists products.',
      method: 'get',
      path: '/admin/api/2025-01/products.json',
      parameters: { since_id: inQuery(text()), fields: inQuery(text(2_000)), limit: inQuery(whole(1, 250)) },
    },
    {
      name: 'createProduct',
      summary: 'Creates a product.',
      method: 'post',
      path: '/admin/api/2025-01/products.json',
      parameters: { product: neededInBody(record, 'With `title`.') },
    },
    {
      name: 'createCustomer',
      summary: 'Creates a customer.',
      method: 'post',
      path: '/admin/api/2025-01/customers.json',
      parameters: { customer: neededInBody(record) },
    },
  ],
}

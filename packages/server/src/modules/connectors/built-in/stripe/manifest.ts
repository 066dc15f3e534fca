const metadata = { in: 'body', schema: { type: 'object' }, description: 'Texts by name.' }
const id = { in: 'path', schema: { type: 'string', minLength: 1 } }
const limit = { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }
const starting_after = { in: 'query', schema: { type: 'string' } }
const text = { in: 'body', schema: { type: 'string' } }

/** Source: https://docs.stripe.com/api. Each call carries its `Idempotency-Key`, so a repetition charges once. */
export const stripe = {
  connector: '1.0',
  title: 'Stripe',
  servers: ['https://api.stripe.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'createCustomer',
      summary: 'Creates a customer.',
      method: 'post',
      path: '/v1/customers',
      encoding: 'form',
      parameters: { email: text, name: text, description: text, metadata },
    },
    { name: 'getCustomer', summary: 'Reads a customer.', method: 'get', path: '/v1/customers/{id}', parameters: { id } },
    {
      name: 'createPaymentIntent',
      summary: 'Begins a payment.',
      method: 'post',
      path: '/v1/payment_intents',
      encoding: 'form',
      parameters: {
        amount: {
          in: 'body',
          required: true,
          schema: { type: 'integer', minimum: 1 },
          description: 'In the smallest unit of the currency.',
        },
        currency: { in: 'body', required: true, schema: { type: 'string', pattern: '^[A-Za-z]{3}$' } },
        customer: text,
        description: text,
        payment_method: text,
        confirm: { in: 'body', schema: { type: 'boolean' } },
        metadata,
      },
    },
    { name: 'getPaymentIntent', summary: 'Reads a payment.', method: 'get', path: '/v1/payment_intents/{id}', parameters: { id } },
    {
      name: 'createRefund',
      summary: 'Returns a payment, or a part of it.',
      method: 'post',
      path: '/v1/refunds',
      encoding: 'form',
      parameters: {
        payment_intent: { ...text, required: true },
        amount: { in: 'body', schema: { type: 'integer', minimum: 1 } },
        reason: { in: 'body', schema: { enum: ['duplicate', 'fraudulent', 'requested_by_customer'] } },
      },
    },
    { name: 'listCharges', summary: 'Lists charges.', method: 'get', path: '/v1/charges', parameters: { limit, starting_after } },
  ],
}

import type { TemplateRun } from './template-run.ts'

const none = () => ({})
const line = { sku: 'tea', quantity: 2, price: 450 }
const late = '2026-01-01T00:00:00Z'
const now = '2026-01-03T00:00:00Z'
const returned = { orderId: 'A-1', sku: 'tea', amount: 1_000, daysSinceDelivery: 3, email: 'ada@example.com' }

export const lastRuns: Readonly<Record<string, readonly TemplateRun[]>> = {
  'order-intake': [
    {
      what: 'an order is summed up, booked and confirmed',
      parameters: ({ url }) => ({ shopUrl: `${url}/orders` }),
      input: () => ({ orderId: 'A-1', email: 'ada@example.com', lines: [line, line] }),
      output: () => ({ orderId: 'A-1', total: 1_800, accepted: true }),
      requests: ['POST /orders'],
      mails: ['ada@example.com: Your order A-1'],
    },
  ],
  'order-return': [
    {
      what: 'a cheap early return is refunded and restocked',
      parameters: ({ url, first }) => ({ approver: first, refundUrl: `${url}/refunds`, stockUrl: `${url}/returns` }),
      input: () => returned,
      output: () => ({ refunded: true }),
      requests: ['POST /refunds', 'POST /returns'],
    },
    {
      what: 'an expensive return needs approval',
      parameters: ({ url, first }) => ({ approver: first, refundUrl: `${url}/refunds`, stockUrl: `${url}/returns` }),
      input: () => ({ ...returned, amount: 90_000 }),
      decide: 'approve',
      output: () => ({ refunded: true }),
      requests: ['POST /refunds', 'POST /returns'],
    },
    {
      what: 'a late return is refused',
      parameters: ({ url, first }) => ({ approver: first, refundUrl: `${url}/refunds`, stockUrl: `${url}/returns` }),
      input: () => ({ ...returned, daysSinceDelivery: 31 }),
      output: () => ({ refunded: false }),
      requests: [],
      mails: ['ada@example.com: Your return of order A-1'],
    },
  ],
  'payment-reminder': [
    {
      what: 'overdue invoices are reminded of, the older ones firmly',
      parameters: ({ url }) => ({ invoiceUrl: `${url}/open` }),
      input: () => ({ today: '2026-01-31' }),
      answers: {
        'GET /open': [
          { number: '1', email: 'ada@example.com', dueOn: '2026-01-01' },
          { number: '2', email: 'bob@example.com', dueOn: '2026-01-30' },
          { number: '3', email: 'eve@example.com', dueOn: '2026-02-01' },
        ],
      },
      output: () => ({ reminded: ['1', '2'] }),
      mails: ['ada@example.com: Second reminder of invoice 1', 'bob@example.com: Reminder of invoice 2'],
    },
  ],
  'price-watch': [
    {
      what: 'articles below their threshold are mailed',
      parameters: () => ({ recipient: 'ada@example.com' }),
      input: ({ url }) => ({
        articles: [
          { url: `${url}/tea`, below: 500 },
          { url: `${url}/cup`, below: 500 },
        ],
      }),
      answers: { 'GET /tea': { name: 'Tea', price: 450 }, 'GET /cup': { name: 'Cup', price: 900 } },
      output: () => ({ cheap: [{ name: 'Tea', price: 450 }] }),
      mails: ['ada@example.com: 1 prices fell'],
    },
  ],
  'privacy-request': [
    {
      what: 'the collected data is delivered after the check',
      parameters: ({ url, first }) => ({ systems: [`${url}/crm`, `${url}/shop`], officer: first, deliveryUrl: `${url}/deliveries` }),
      input: () => ({ email: 'ada@example.com' }),
      decide: 'approve',
      output: () => ({ delivered: true, systems: 2 }),
      requests: ['POST /crm', 'POST /deliveries', 'POST /shop'],
    },
    {
      what: 'nothing is delivered when the check refuses',
      parameters: ({ url, first }) => ({ systems: [`${url}/crm`], officer: first, deliveryUrl: `${url}/deliveries` }),
      input: () => ({ email: 'ada@example.com' }),
      decide: 'reject',
      output: () => ({ delivered: false }),
      requests: ['POST /crm'],
    },
  ],
  'sla-escalation': [
    {
      what: 'late tickets are posted to the chat',
      parameters: ({ url }) => ({ ticketUrl: `${url}/open`, chatUrl: `${url}/chat` }),
      input: () => ({ now }),
      answers: {
        'GET /open': [
          { id: 'T1', subject: 'Help', lastAnswerAt: late },
          { id: 'T2', subject: 'Hi', lastAnswerAt: now },
        ],
      },
      output: () => ({ late: ['T1'] }),
      requests: ['GET /open', 'POST /chat'],
    },
  ],
  'stock-replenishment': [
    {
      what: 'an approved proposal is ordered',
      parameters: ({ url, first }) => ({ stockUrl: `${url}/stock`, approver: first, orderUrl: `${url}/orders` }),
      input: none,
      answers: {
        'GET /stock': [
          { sku: 'tea', stock: 1, minimum: 5, target: 20 },
          { sku: 'cup', stock: 9, minimum: 5, target: 20 },
        ],
      },
      decide: 'approve',
      output: () => ({ ordered: [{ sku: 'tea', quantity: 19 }] }),
      requests: ['GET /stock', 'POST /orders'],
    },
    {
      what: 'enough stock orders nothing',
      parameters: ({ url, first }) => ({ stockUrl: `${url}/stock`, approver: first, orderUrl: `${url}/orders` }),
      input: none,
      answers: { 'GET /stock': [] },
      output: () => ({ lines: [] }),
      requests: ['GET /stock'],
    },
  ],
  'support-ticket': [
    {
      what: 'an urgent request gets a high priority and its number',
      parameters: ({ url }) => ({ ticketUrl: `${url}/tickets` }),
      input: () => ({ email: 'ada@example.com', subject: 'Outage', text: 'It is down.' }),
      answers: { 'POST /tickets': { id: 'T-9' } },
      output: () => ({ id: 'T-9', priority: 'high' }),
      mails: ['ada@example.com: [T-9] Outage'],
    },
  ],
  'uptime-check': [
    {
      what: 'a site that is down twice raises an alarm',
      parameters: ({ url }) => ({ sites: [`${url}/up`, `${url}/down`], recipient: 'ops@example.com' }),
      input: none,
      answers: { 'GET /down': 503 },
      output: ({ url }) => ({ checked: 2, down: [`${url}/down`] }),
      requests: ['GET /down', 'GET /down', 'GET /up'],
      mails: ['ops@example.com: 1 of 2 sites are down'],
    },
  ],
  'webhook-fan-out': [
    {
      what: 'an event goes to all, and refusals are reported',
      parameters: ({ url }) => ({ targets: [`${url}/one`, `${url}/two`] }),
      input: () => ({ event: { id: 1 } }),
      answers: { 'POST /two': 503 },
      output: ({ url }) => ({ taken: [`${url}/one`], refused: [`${url}/two`] }),
      requests: ['POST /one', 'POST /two', 'POST /two', 'POST /two'],
    },
  ],
  'weekly-sales-report': [
    {
      what: 'two weeks are compared and posted',
      parameters: ({ url }) => ({ salesUrl: `${url}/sales`, chatUrl: `${url}/chat` }),
      input: () => ({ week: '2026-W02', previousWeek: '2026-W01' }),
      answers: { 'GET /sales': [{ product: 'tea', amount: 500 }] },
      output: () => ({ total: 500, before: 500, products: [{ product: 'tea', change: 0 }] }),
      requests: ['GET /sales?week=2026-W01', 'GET /sales?week=2026-W02', 'POST /chat'],
    },
  ],
  // It starts by every fault of the account, so nothing runs after it.
  'post-failures': [
    {
      what: 'the chat gets the error and the link',
      parameters: ({ url }) => ({ chatUrl: `${url}/chat` }),
      input: () => [
        {
          execution: { id: 'exec_1', url: 'https://millrace.example.com/runs/exec_1' },
          workflow: { name: 'Orders' },
          error: { title: 'Out of stock', detail: 'None left', instance: '/do/0/refuse' },
        },
      ],
      output: () => ({ posted: 'Orders failed: Out of stock\nNone left\nAt /do/0/refuse\nhttps://millrace.example.com/runs/exec_1' }),
      requests: ['POST /chat'],
    },
  ],
}

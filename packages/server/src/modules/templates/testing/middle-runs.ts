import type { TemplateRun } from './template-run.ts'

const none = () => ({})
const invoice = { number: '4711', supplier: 'Tea Ltd.', amount: 50_000, email: 'ada@example.com' }
const late = '2026-01-01T00:00:00Z'
const now = '2026-01-03T00:00:00Z'

const leave = { name: 'Ada', email: 'ada@example.com', first: '2026-08-03', last: '2026-08-07', kind: 'holiday' }

export const middleRuns: Readonly<Record<string, readonly TemplateRun[]>> = {
  'expense-report': [
    {
      what: 'approved expenses are booked',
      parameters: ({ url, first }) => ({ manager: first, bookingUrl: `${url}/expenses` }),
      input: () => ({
        employee: 'ada@example.com',
        expenses: [
          { kind: 'meal', amount: 9_000 },
          { kind: 'travel', amount: 1_000 },
        ],
      }),
      decide: 'approve',
      output: () => ({ approved: true, total: 10_000 }),
      requests: ['POST /expenses'],
    },
    {
      what: 'rejected expenses are returned with the reason',
      parameters: ({ url, first }) => ({ manager: first, bookingUrl: `${url}/expenses` }),
      input: () => ({ employee: 'ada@example.com', expenses: [{ kind: 'meal', amount: 9_000 }] }),
      decide: 'reject',
      output: () => ({ approved: false }),
      requests: [],
      mails: ['ada@example.com: Your expenses were not approved'],
    },
  ],
  'incident-response': [
    {
      what: 'an incident that is taken does not escalate',
      parameters: ({ url, first }) => ({ chatUrl: `${url}/chat`, onCall: first, lead: 'lead@example.com' }),
      input: () => ({ service: 'web', severity: 'high' }),
      decide: 'approve',
      output: () => ({ service: 'web', taken: true }),
      requests: ['POST /chat'],
    },
    {
      what: 'an incident that is not taken goes to the lead',
      parameters: ({ url, first }) => ({ chatUrl: `${url}/chat`, onCall: first, lead: 'lead@example.com' }),
      input: () => ({ service: 'web', severity: 'high' }),
      decide: 'reject',
      output: () => ({ taken: false }),
      mails: ['lead@example.com: The incident of web is not taken'],
    },
  ],
  'invoice-approval': [
    {
      what: 'a small invoice is booked at once',
      parameters: ({ url, first }) => ({ approver: first, bookingUrl: `${url}/invoices` }),
      input: () => invoice,
      output: () => ({ booked: true }),
      requests: ['POST /invoices'],
    },
    {
      what: 'a large invoice is booked after approval',
      parameters: ({ url, first }) => ({ approver: first, bookingUrl: `${url}/invoices`, limit: 10 }),
      input: () => invoice,
      decide: 'approve',
      output: () => ({ booked: true }),
      requests: ['POST /invoices'],
    },
    {
      what: 'a rejected invoice is not booked',
      parameters: ({ url, first }) => ({ approver: first, bookingUrl: `${url}/invoices`, limit: 10 }),
      input: () => invoice,
      decide: 'reject',
      output: () => ({ booked: false }),
      requests: [],
      mails: ['ada@example.com: Invoice 4711 was not approved'],
    },
  ],
  'lead-routing': [
    {
      what: 'a large company goes to its team',
      parameters: ({ url }) => ({ crmUrl: `${url}/leads`, enterpriseTeam: 'big@example.com', standardTeam: 'small@example.com' }),
      input: () => ({ name: 'Ada', email: 'ada@example.com', employees: 5_000 }),
      output: () => ({ team: 'big@example.com', score: 50 }),
      requests: ['POST /leads'],
      mails: ['big@example.com: New lead: Ada'],
    },
    {
      what: 'a small company goes to the other one',
      parameters: ({ url }) => ({ crmUrl: `${url}/leads`, enterpriseTeam: 'big@example.com', standardTeam: 'small@example.com' }),
      input: () => ({ name: 'Bob', email: 'bob@example.com', employees: 5 }),
      output: () => ({ team: 'small@example.com', score: 10 }),
      mails: ['small@example.com: New lead: Bob'],
    },
  ],
  'mail-digest': [
    {
      what: 'new entries are mailed',
      parameters: ({ url }) => ({ sourceUrl: `${url}/entries`, recipients: ['ada@example.com', 'bob@example.com'] }),
      input: () => ({ since: late }),
      answers: {
        'GET /entries': [
          { title: 'New', url: 'https://example.com', at: now },
          { title: 'Old', url: 'https://example.com', at: late },
        ],
      },
      output: () => ({ sent: 1 }),
      mails: ['ada@example.com, bob@example.com: 1 news'],
    },
    {
      what: 'nothing new sends nothing',
      parameters: ({ url }) => ({ sourceUrl: `${url}/entries`, recipients: ['ada@example.com'] }),
      input: () => ({ since: now }),
      answers: { 'GET /entries': [] },
      output: () => ({ sent: 0 }),
    },
  ],
  'newsletter-signup': [
    {
      what: 'a confirmation subscribes',
      parameters: ({ url }) => ({ page: 'https://www.example.com/confirm', listUrl: `${url}/subscribers` }),
      input: () => ({ email: 'ada@example.com' }),
      event: {
        specversion: '1.0',
        id: 'c1',
        source: 'https://www.example.com',
        type: 'com.example.newsletter.confirmed',
        subject: 'ada@example.com',
      },
      output: () => ({ subscribed: true }),
      requests: ['POST /subscribers'],
      mails: ['ada@example.com: Please confirm your subscription'],
    },
    {
      what: 'without a confirmation the address is forgotten',
      parameters: ({ url }) => ({ page: 'https://www.example.com/confirm', listUrl: `${url}/subscribers` }),
      input: () => ({ email: 'bob@example.com', wait: 'PT0.05S' }),
      output: () => ({ subscribed: false }),
      requests: [],
    },
  ],
  'nps-report': [
    {
      what: 'the score and the comments are computed',
      parameters: none,
      input: () => ({
        answers: [
          { score: 10, group: 'a' },
          { score: 9, group: 'b' },
          { score: 7, group: 'a' },
          { score: 2, group: 'b', comment: 'Slow.' },
        ],
      }),
      output: () => ({
        answers: 4,
        score: 25,
        groups: [
          { group: 'a', score: 50 },
          { group: 'b', score: 0 },
        ],
        comments: ['Slow.'],
      }),
    },
  ],
  'leave-request': [
    {
      what: 'approved leave is noted and confirmed',
      parameters: ({ first }) => ({ manager: first }),
      input: () => leave,
      decide: 'approve',
      output: () => ({ approved: true, outcome: 'approved' }),
      mails: ['ada@example.com: Your leave is approved'],
    },
    {
      what: 'rejected leave is answered with the reason',
      parameters: ({ first }) => ({ manager: first }),
      input: () => leave,
      decide: 'reject',
      output: () => ({ approved: false, outcome: 'rejected' }),
      mails: ['ada@example.com: Your leave was not approved'],
    },
    {
      what: 'leave that ends before it begins is returned without a question',
      parameters: ({ first }) => ({ manager: first }),
      input: () => ({ ...leave, last: '2026-08-01' }),
      output: () => ({ approved: false, outcome: 'days' }),
      mails: ['ada@example.com: Your request for leave'],
    },
  ],
}

import { type Client, createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { password } from './browser.ts'

export interface ScreenPerson {
  readonly email: string
  readonly password: string
}

/** Registers the person whose account is pictured. */
export async function screenPerson(url: string, look: string, operatorCode: string | undefined): Promise<ScreenPerson> {
  const email = `ada.${look}@harbour.example`
  const code = operatorCode === undefined ? {} : { operatorCode }
  await createClient({ baseUrl: url, groups }).auth.register({
    body: { email, password, name: 'Ada Lindqvist', ...code },
  })
  return { email, password }
}

type Api = Client<typeof groups>

/** Gives an account what a company has after some weeks: workflows with good and bad runs, people, connections, policies, destinations. */
export async function fillAccount(url: string, person: ScreenPerson): Promise<void> {
  const session = await createClient({ baseUrl: url, groups }).auth.login({ body: person })
  if (!('accessToken' in session)) throw new Error('a second step is missing')
  const api = createClient({ baseUrl: url, groups, token: session.accessToken })
  const [, closes, stock] = await Promise.all(
    definitions.map((definition, index) => api.workflows.create({ body: { definition, publish: true, tags: tags[index] ?? [] } })),
  )
  if (closes === undefined || stock === undefined) throw new Error('the workflows are missing')
  for (let count = 0; count < 9; count++) {
    const { id } = count % 4 === 3 ? closes : stock
    await api.workflows.execute(
      {
        params: { id },
        body: { input: { lines: count * 7, supplier: count % 2 === 0 ? 'Meridian Tea Trading Company, Hamburg' : 'Café Ölmühle' } },
      },
      { waitSeconds: 5 },
    )
  }
  await Promise.all([governed(api), connected(api), automated(api, stock.id, closes.id)])
}

const tags = [['customers'], ['finance', 'nightly'], ['stock', 'nightly']]

const governed = (api: Api) =>
  Promise.all([
    api.invitations.create({ body: { email: 'bilal.haddad@harbour.example', role: 'admin' } }),
    api.scim.put({ body: { defaultRole: 'member', roles: { 'platform-team': 'admin', auditors: 'viewer' } } }),
    api.accountDomains.create({ body: { domain: `d${Date.now().toString(36)}.harbour.example` } }),
    api.audit.createDestination({ body: { name: 'SIEM', target: { kind: 'http', url: 'https://siem.example.com/millrace' } } }),
    api.apiKeys.create({ body: { name: 'Deployment', scopes: ['workflows:read', 'workflows:write'] } }),
  ])

const orders = [
  { key: 'A-1042', columns: { customer: 'Meridian Tea', total: 1236, paid: true, lines: [{ sku: 'kettle', quantity: 2 }] } },
  { key: 'A-1043', columns: { customer: 'Café Ölmühle', total: 87.5, paid: false, note: 'Deliver to the back door, ring twice' } },
  { key: 'A-1044', columns: { customer: 'Harbour Books', total: 412, paid: true } },
]

const connected = (api: Api) =>
  Promise.all([
    api.git.create({ body: { url: 'https://git.example.com/harbour/workflows.git', branch: 'main', folder: 'flows', pull: 'publish' } }),
    api.tables
      .create({ body: { name: 'orders' } })
      .then(({ name: table }) => api.tables.importRows({ params: { table }, body: { rows: orders } })),
    api.variables.create({ body: { name: 'REGION', value: 'eu-central', environment: 'production' } }),
    api.eventSubscriptions.create({ body: { name: 'CRM', url: 'https://crm.example.com/events', types: ['com.example.order.placed'] } }),
  ])

const automated = (api: Api, stock: string, closes: string) =>
  Promise.all([
    api.triggers.createSchedule({
      body: { workflowId: stock, name: 'Every morning', schedule: { cron: '0 6 * * *', timeZone: 'Europe/Berlin' } },
    }),
    api.chains.create({
      body: {
        name: 'Stock, then close',
        members: [
          { name: 'stock', workflowId: stock },
          { name: 'close', workflowId: closes },
        ],
      },
    }),
  ])

const workflow = (name: string, tasks: string) =>
  `document: { dsl: 1.0.3, namespace: harbour, name: ${name}, version: 1.0.0, metadata: { labels: { order: '\${ "A-\\(1000 + .lines)" }', supplier: '\${ .supplier }' } } }\ndo:\n${tasks}`

const definitions = [
  workflow('new-customer', '- greet: { set: { text: \'${ "Welcome, \\(.name // "guest")" }\' } }\n'),
  workflow(
    'night-close',
    '- book: { set: { booked: true } }\n- pay: { raise: { error: { type: https://example.com/payment, status: 402, title: Payment Required } } }\n',
  ),
  workflow('stock-from-suppliers', "- count: { set: { lines: '${ .lines }' } }\n- note: { set: { done: true } }\n"),
]

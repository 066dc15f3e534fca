import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notify } from '#modules/notifications/index.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const fences = /^```sh\n(?<commands>[^]*?)^```$/gm

test.each(['triggers.md', 'variables.md', 'chains.md', 'notifications.md', 'analytics.md'])(
  'every request that docs/%s shows is accepted',
  async (name) => {
    const page = await readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
    const account = await server.registerAccount()
    const commands = [...page.matchAll(fences)].map(({ groups }) => groups?.['commands'] ?? '').join('')
    const given = await namesFor(account)
    const adapted = [...given].reduce((text, [shown, real]) => text.replaceAll(shown, real), commands)
    // The status follows each response in a line of its own.
    const begin = `curl() { command curl -s -w '\\n#### %{http_code}\\n' "$@"; }\nURL='${server.url}'\nTOKEN='${account.token}'\n`
    const { stdout } = await promisify(execFile)('sh', ['-c', begin + adapted], { timeout: 250_000 })
    const responses = stdout.split(/\n#### (?=\d{3}\n)/)
    const statuses = responses.slice(1).map((rest) => rest.slice(0, 3))
    expect(statuses.length).toBe(adapted.match(/^curl /gm)?.length)
    const refused = statuses.flatMap((status, index) => (status === '200' ? [] : [`${status}: ${responses[index]?.slice(-300)}`]))
    expect(refused).toEqual([])
  },
)

/** What stands for the ids and addresses of a page: things that the account has. */
async function namesFor(account: TestAccount): Promise<ReadonlyMap<string, string>> {
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  const webhook = { signature: { scheme: 'none' } }
  const hook = await account.send('POST', '/api/v1/triggers/webhook', { workflowId, name: 'shown', webhook })
  await account.send('POST', `/api/v1/triggers/${hook.body.id}/test`, {})
  const { pathname } = new URL(hook.body.webhook.testUrl)
  await fetch(`${server.url}${pathname}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const deliveries = await account.send('GET', `/api/v1/triggers/${hook.body.id}/deliveries`)
  const page = await readFile(new URL('../../../../docs/triggers.md', import.meta.url), 'utf8')
  const form = await formFor(account, /^```yaml\n(?<schema>input:\n[^]*?)^```$/m.exec(page)?.groups?.['schema'] ?? '')
  const chain = await account.send('POST', '/api/v1/chains', { name: 'shown', members: [{ name: 'one', workflowId }] })
  await server.database.system.transaction().execute((tx) =>
    notify(tx, {
      accountId: account.accountId,
      roles: ['owner'],
      kind: 'execution.faulted',
      title: 'shown',
      body: '',
      link: '/runs',
      groupKey: 'shown',
    }),
  )
  const notifications = await account.send('GET', '/api/v1/notifications')
  return new Map([
    ['wf_form…', form.workflowId],
    ['/hooks/form…', form.pathname],
    ['wf_…', workflowId],
    ['trg_…', hook.body.id],
    ['whd_…', deliveries.body.data[0].id],
    ['chn_…', chain.body.id],
    ['ntf_…', notifications.body.data[0].id],
    ['/hooks/…/test', pathname],
  ])
}

/** A workflow with an input schema, and the path of a form for it. */
async function formFor(account: TestAccount, schema: string): Promise<{ readonly workflowId: string; readonly pathname: string }> {
  const definition = documentOf(`${schema}do:\n  - note: { set: { noted: true } }\n`)
  const { id: workflowId } = await account.client.workflows.create({ body: { definition } })
  const webhook = { signature: { scheme: 'none' }, form: {} }
  const { body } = await account.send('POST', '/api/v1/triggers/webhook', { workflowId, name: 'shown', webhook })
  return { workflowId, pathname: new URL(body.webhook.url).pathname }
}

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { filesOfExecution } from '#modules/files/files-of-execution.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import {
  addMember,
  callLink,
  currentApproval,
  decideAs,
  mailingTo,
  mailsTo,
  onlyApprovalOf,
  type TestApproval,
} from '#testing/approvals.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import type { Approval } from './model.ts'
import { namedFiles } from './named-files.ts'

let smtp: TestSmtpServer
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await createTestServer(mailingTo(smtp))
})
afterAll(async () => {
  await server.close()
  await smtp[Symbol.asyncDispose]()
})

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const asking = (details: string, approver = '{ role: viewer }') => `
input:
  schema:
    document:
      type: object
      properties: { note: { type: string }, photo: { type: string, format: file }, bill: { type: string, format: file } }
do:
  - ask: { call: approve, with: { title: Refund, excludeStarter: false, approvers: [${approver}], details: '\${ ${details} }' } }
`

async function upload(account: Pick<TestAccount, 'token'>, name: string, content = 'secret', type = 'text/plain') {
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': type }
  const response = await fetch(`${server.url}/api/v1/files?name=${encodeURIComponent(name)}`, { method: 'PUT', headers, body: content })
  expect(response.status).toBe(200)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The reply of an upload that succeeded.
  return ((await response.json()) as { readonly id: string }).id
}

/** Starts by the form of a webhook, and gives the approval. */
async function sendForm(owner: TestAccount, body: string, fields: Record<string, string | File>): Promise<TestApproval> {
  const { id: workflowId } = await owner.client.workflows.create({ body: { definition: documentOf(body) } })
  await submit(owner, workflowId, fields)
  const { body: runs } = await owner.send('GET', `/api/v1/workflows/${workflowId}/executions`)
  return onlyApprovalOf(owner, runs.data[0].id)
}

async function submit(owner: TestAccount, workflowId: string, fields: Record<string, string | File>): Promise<string> {
  const created = await owner.send('POST', '/api/v1/triggers/webhook', {
    workflowId,
    name: 'Refund',
    webhook: { signature: { scheme: 'none' }, form: {} },
  })
  const form = new FormData()
  for (const [name, value] of Object.entries({ _id: crypto.randomUUID(), ...fields })) form.append(name, value)
  const url = `${server.url}${new URL(created.body.webhook.url).pathname}`
  expect((await fetch(url, { method: 'POST', redirect: 'manual', body: form })).status).toBe(303)
  return created.body.id
}

/** Starts as a person or a program does, and gives the approval. */
async function start(owner: TestAccount, body: string, input: object, as = owner.token): Promise<TestApproval> {
  const { id } = await owner.client.workflows.create({ body: { definition: documentOf(body) } })
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
  const response = await fetch(`${server.url}/api/v1/workflows/${id}/execute`, { method: 'POST', headers, body: JSON.stringify({ input }) })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The reply of a start.
  return onlyApprovalOf(owner, ((await response.json()) as { readonly id: string }).id)
}

const filesOf = async (owner: TestAccount, asked: TestApproval) => (await currentApproval(owner, asked)).files ?? []
const namesOf = async (owner: TestAccount, asked: TestApproval) => (await filesOf(owner, asked)).map(({ name }) => name)
const get = ({ executionId, approvalId }: TestApproval, fileId: string | undefined, token: string) =>
  fetch(`${server.url}/api/v1/workflows/executions/${executionId}/approvals/${approvalId}/files/${fileId}`, {
    headers: { authorization: `Bearer ${token}` },
  })

const damage = {
  photo: new File([png], 'Kratzer é.png', { type: 'image/png' }),
  bill: new File(['%PDF'], 'bill.pdf', { type: 'application/pdf' }),
}

describe('a file that was sent with a form', () => {
  test('is shown to those who see the approval: a picture in the page, all else for saving, and nothing that runs', async () => {
    const owner = await server.registerAccount()
    const viewer = await addMember(server, owner, 'viewer')
    const asked = await sendForm(owner, asking('{ all: [.photo], of: { bill: .bill } }'), damage)
    const [photo, bill] = await filesOf(owner, asked)
    expect(photo).toMatchObject({ contentType: 'image/png', size: png.length, isPicture: true })
    expect(photo?.name).toMatch(/^forms\/[a-z]{16}\/Kratzer é\.png$/)
    expect(bill).toMatchObject({ contentType: 'application/pdf', isPicture: false })
    const shown = await get(asked, photo?.id, viewer.token)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="Kratzer-.png"; filename*=UTF-8''Kratzer%20%C3%A9.png`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(png)
    const saved = await get(asked, bill?.id, viewer.token)
    expect([saved.status, saved.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^attachment; /)])
    const { rows } = await sql<{ details: unknown }>`
      select details from audit_events where account_id = ${owner.accountId} and event = 'file.opened' order by id`.execute(
      server.database.system,
    )
    const where = { executionId: asked.executionId, approval: asked.approvalId }
    expect(rows.map(({ details }) => details)).toEqual([
      { name: photo?.name, state: 'shown', ...where },
      { name: bill?.name, state: 'saved', ...where },
    ])
  })

  test.each(['image/svg+xml', 'text/html', 'image/png; charset=x', 'application/octet-stream'])('is for saving as %s', async (type) => {
    const owner = await server.registerAccount()
    const asked = await sendForm(owner, asking('{ photo }'), { photo: new File(['<svg onload="alert(1)"/>'], 'a.png', { type }) })
    const [file] = await filesOf(owner, asked)
    expect(file?.isPicture).toBe(false)
    const { headers } = await get(asked, file?.id, owner.token)
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test('is not another file of the account, nor one for another account', async () => {
    const [owner, other] = [await server.registerAccount(), await server.registerAccount()]
    const asked = await sendForm(owner, asking('{ photo }'), damage)
    const [photo] = await filesOf(owner, asked)
    const { data } = await owner.client.files.list({})
    const bill = data.find(({ name }) => name.endsWith('bill.pdf'))
    expect((await get(asked, bill?.id, owner.token)).status).toBe(404)
    expect((await get(asked, photo?.id, other.token)).status).toBe(404)
    const next = await sendForm(owner, asking('{ photo }'), damage)
    expect((await get(next, photo?.id, owner.token)).status).toBe(404)
    expect((await get({ ...asked, executionId: next.executionId }, photo?.id, owner.token)).status).toBe(404)
  })

  test('is not shown any more when another file has taken its name', async () => {
    const owner = await server.registerAccount()
    const asked = await sendForm(owner, asking('{ photo }'), damage)
    const [photo] = await filesOf(owner, asked)
    await upload(owner, photo?.name ?? '')
    expect(await filesOf(owner, asked)).toEqual([])
    expect((await get(asked, photo?.id, owner.token)).status).toBe(404)
  })

  test('is shown by the link in the mail until its recipient has decided', async () => {
    const owner = await server.registerAccount()
    const email = `outside-${owner.accountId}@example.org`
    await sendForm(owner, asking('{ photo }', email), damage)
    const [mail] = await mailsTo(smtp, email)
    const token = mail?.token ?? ''
    const [photo] = (await callLink(server.url, token)).body.files
    const url = `${server.url}/api/v1/approvals/${token}/files/${photo.id}`
    const shown = await fetch(url)
    expect([shown.status, shown.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^inline; /)])
    const { data } = await owner.client.files.list({})
    const bill = data.find(({ name }) => name.endsWith('bill.pdf'))
    expect((await fetch(url.replace(photo.id, bill?.id ?? ''))).status).toBe(404)
    const decided = await callLink(server.url, token, { decision: 'approve' })
    expect(decided.body.files).toEqual([])
    expect((await fetch(url)).status).toBe(404)
  })
})

describe('a file of the account that a low role wants to see', () => {
  test('is not shown because a form, an input or a workflow names it', async () => {
    const owner = await server.registerAccount()
    const id = await upload(owner, 'salaries.txt')
    const key = (await owner.client.apiKeys.create({ body: { name: 'starts', scopes: ['executions:run', 'approvals:read'] } })).secret
    const byForm = await sendForm(owner, asking('{ note }'), { note: 'salaries.txt' })
    const byProgram = await start(owner, asking('{ photo }'), { photo: 'salaries.txt' }, key)
    const byAuthor = await start(owner, asking('{ photo: "salaries.txt" }'), {})
    for (const asked of [byForm, byProgram, byAuthor]) {
      expect(await filesOf(owner, asked)).toEqual([])
      expect((await get(asked, id, key)).status).toBe(404)
    }
  })
})

describe('a file of a run', () => {
  test('is one that the person who started it sent with it, or that the run or a run that it called wrote', async () => {
    const owner = await server.registerAccount()
    await upload(owner, 'runs/1/mine.txt')
    const sent = await start(owner, asking('{ photo, text: "see runs/1/mine.txt" }'), { photo: 'runs/1/mine.txt' })
    expect(await namesOf(owner, sent)).toEqual(['runs/1/mine.txt'])
    const { files } = await owner.client.files.ofExecution({ params: { executionId: sent.executionId } })
    expect(files).toMatchObject([{ name: 'runs/1/mine.txt', isPicture: false }])
    const part = documentOf("do:\n  - put: { call: files.put, with: { name: 'part.txt', text: x } }\n", 'part')
    await owner.client.workflows.create({ body: { definition: part } })
    const whole = await start(
      owner,
      `do:
  - own: { call: files.put, with: { name: 'own.txt', text: x } }
  - called: { run: { workflow: { namespace: tests, name: part, version: latest } } }
  - ask: { call: approve, with: { title: Look, excludeStarter: false, approvers: [{ role: viewer }], details: [own.txt, part.txt, runs/1/mine.txt] } }
`,
      {},
    )
    expect(await namesOf(owner, whole)).toEqual(['own.txt', 'part.txt'])
  })
})

test.each(['replaced', 'deleted and written again'])(
  'a file that is %s after an approval has opened is not shown by it, also after the decision',
  async (how) => {
    const owner = await server.registerAccount()
    const email = `swap-${owner.accountId}@example.org`
    const kim = await addMember(server, owner, 'admin')
    const id = await upload(owner, 'contract.txt', 'the first')
    const body = asking('{ photo }', email).replace('approvers: [', 'required: 2, approvers: [{ role: admin }, ')
    const asked = await start(owner, body, { photo: 'contract.txt' })
    const [mail] = await mailsTo(smtp, email)
    const byLink = (fileId: string) => fetch(`${server.url}/api/v1/approvals/${mail?.token}/files/${fileId}`)
    expect(await (await byLink(id)).text()).toBe('the first')
    expect(await (await get(asked, id, kim.token)).text()).toBe('the first')
    if (how !== 'replaced') await owner.client.files.delete({ params: { id } })
    const next = await upload(owner, 'contract.txt', 'the second')
    const statuses = async () => [(await byLink(next)).status, (await get(asked, next, kim.token)).status, await namesOf(owner, asked)]
    expect(await statuses()).toEqual([404, 404, []])
    for (const one of [owner, kim]) await decideAs(server.url, one.token, asked, { decision: 'approve' })
    expect((await currentApproval(owner, asked)).state).toBe('approved')
    expect(await statuses()).toEqual([404, 404, []])
    const { files } = await owner.client.files.ofExecution({ params: { executionId: asked.executionId } })
    expect(files.map(({ name }) => name)).toEqual(['contract.txt'])
  },
)

test('each input is read once for all names, and all approvals of a run ask together', async () => {
  const owner = await server.registerAccount()
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  for (const name of names) await upload(owner, name)
  const asked = await start(owner, asking('[.photo, .note]'), { photo: 'a.txt', note: 'b.txt', more: ['c.txt', { 'd.txt': 1 }] })
  const executionId = fromTypeId('exec', asked.executionId) ?? ''
  const reads = (wanted: readonly string[]) =>
    server.database.account(owner.accountId, async (tx) => {
      let count = 0
      const counting = tx.withPlugin({
        transformQuery: ({ node }) => {
          count += 1
          return node
        },
        transformResult: ({ result }) => Promise.resolve(result),
      })
      const found = await filesOfExecution(counting, owner.accountId, { executionId, names: wanted, at: new Date() })
      expect(found.map(({ name }) => name)).toEqual(wanted)
      return count
    })
  expect(await reads(names)).toBe(await reads(names.slice(0, 1)))

  const { rows } = await sql<{ id: string; arguments: string; opened_at: Date }>`
    select id, arguments, opened_at from approvals where execution_id = ${executionId}`.execute(server.database.system)
  const [row] = rows
  if (row === undefined) throw new Error('nothing is asked')
  const approval = { id: row.id, arguments: JSON.parse(row.arguments), accountId: owner.accountId, executionId, openedAt: row.opened_at }
  const ofExecution = vi.fn<AccountFiles['ofExecution']>(() => Promise.resolve([]))
  await server.database.account(owner.accountId, (tx) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What is read of an approval.
    namedFiles(tx, { ofExecution }, [approval, { ...approval, id: 'second' }] as unknown as Approval[]),
  )
  expect(ofExecution.mock.calls.map((call) => call.slice(1))).toEqual([[owner.accountId, executionId, ['a.txt', 'b.txt']]])
})

describe('a file of the owner that a visitor of a form names', () => {
  const workflow = asking('$workflow.input').replace(
    'do:\n',
    `do:
  - check:
      if: '\${ .note == "hr/salaries.pdf" and .photo == null }'
      raise: { error: { type: 'https://example.com/errors/bad', status: 409, title: Bad } }
`,
  )

  async function failedByName() {
    const owner = await server.registerAccount()
    await upload(owner, 'hr/salaries.pdf')
    const { id } = await owner.client.workflows.create({ body: { definition: documentOf(workflow) } })
    await submit(owner, id, { note: 'hr/salaries.pdf' })
    const [failed] = (await owner.send('GET', `/api/v1/workflows/${id}/executions`)).body.data
    await vi.waitFor(async () => {
      expect((await owner.send('GET', `/api/v1/workflows/executions/${failed.id}`)).body.state).toBe('faulted')
    })
    return { owner, executionId: String(failed.id) }
  }

  test('is not shown when the owner retries the run, unless the owner names another one', async () => {
    const { owner, executionId } = await failedByName()
    await upload(owner, 'mine.txt')
    const input = { note: 'hr/salaries.pdf', photo: 'mine.txt' }
    const { body } = await owner.send('POST', `/api/v1/workflows/executions/${executionId}/retry`, { input })
    expect(await namesOf(owner, await onlyApprovalOf(owner, body.id))).toEqual(['mine.txt'])
    const { files } = await owner.client.files.ofExecution({ params: { executionId: body.id } })
    expect(files.map(({ name }) => name)).toEqual(['mine.txt'])
  })

  test('is not shown when the owner replays the delivery', async () => {
    const owner = await server.registerAccount()
    await upload(owner, 'hr/salaries.pdf')
    const { id } = await owner.client.workflows.create({ body: { definition: documentOf(asking('$workflow.input')) } })
    const triggerId = await submit(owner, id, { note: 'hr/salaries.pdf' })
    const [delivery] = (await owner.send('GET', `/api/v1/triggers/${triggerId}/deliveries`)).body.data
    const { body, status } = await owner.send('POST', `/api/v1/triggers/deliveries/${delivery.id}/replay`, {})
    expect(status).toBeLessThan(300)
    const asked = await onlyApprovalOf(owner, body.executionId)
    expect((await currentApproval(owner, asked)).details).toMatchObject({ note: 'hr/salaries.pdf' })
    expect(await namesOf(owner, asked)).toEqual([])
  })
})

describe('a file of a form, beyond the run that the form started,', () => {
  const throughCall = (passed: string) => `
input: { schema: { document: { type: object, properties: { photo: { type: string, format: file } } } } }
do:
  - call-it: { run: { workflow: { namespace: tests, name: asks-alone, version: latest, input: '\${ ${passed} }' } } }
`
  const called = (details: string) =>
    documentOf(
      `do:\n  - ask: { call: approve, with: { title: Look, excludeStarter: false, approvers: [{ role: viewer }], details: '\${ ${details} }' } }\n`,
      'asks-alone',
    )

  /** The approval of the run that the run of a form calls. */
  async function askedByCall(owner: TestAccount, passed: string, details: string): Promise<TestApproval> {
    await owner.client.workflows.create({ body: { definition: called(details) } })
    const form = await owner.client.workflows.create({ body: { definition: documentOf(throughCall(passed)) } })
    await submit(owner, form.id, damage)
    return vi.waitFor(async () => {
      const { data } = await owner.client.approvals.list({ query: { for: 'all' } })
      if (data[0] === undefined) throw new Error('nothing is asked')
      return { executionId: data[0].executionId, approvalId: data[0].id }
    })
  }

  test('is shown by the approval of a run that is called with its name', async () => {
    const owner = await server.registerAccount()
    const asked = await askedByCall(owner, '{ picture: .photo }', '{ of: .picture }')
    expect(await namesOf(owner, asked)).toEqual([expect.stringMatching(/^forms\/[a-z]{16}\/Kratzer é\.png$/)])
  })

  test('is not shown by the approval of a run that is called with a part of a text, and makes its name of it', async () => {
    const owner = await server.registerAccount()
    const asked = await askedByCall(owner, '{ text: ("at " + .photo) }', '{ of: (.text | ltrimstr("at ")) }')
    expect((await currentApproval(owner, asked)).details).toEqual({ of: expect.stringMatching(/^forms\/.*png$/) })
    expect(await namesOf(owner, asked)).toEqual([])
  })

  test('is shown by the approval of a run that repeats the one that was started with it', async () => {
    const owner = await server.registerAccount()
    const failing = asking('{ photo }').replace(
      'do:\n',
      `do:
  - check:
      if: '\${ .note == "bad" }'
      raise: { error: { type: 'https://example.com/errors/bad', status: 409, title: Bad } }
`,
    )
    const { id } = await owner.client.workflows.create({ body: { definition: documentOf(failing) } })
    await submit(owner, id, { ...damage, note: 'bad' })
    const [failed] = (await owner.send('GET', `/api/v1/workflows/${id}/executions`)).body.data
    await vi.waitFor(async () => {
      const { body } = await owner.send('GET', `/api/v1/workflows/executions/${failed.id}`)
      expect(body.state).toBe('faulted')
    })
    const { body: before } = await owner.send('GET', `/api/v1/workflows/executions/${failed.id}`)
    const input = { photo: before.input.photo, note: 'good' }
    const again = await owner.send('POST', `/api/v1/workflows/executions/${failed.id}/retry`, { input })
    expect(await namesOf(owner, await onlyApprovalOf(owner, again.body.id))).toEqual([before.input.photo])
  })

  test('is not shown by a link any more when its approval is no longer awaited', async () => {
    const owner = await server.registerAccount()
    const email = `late-${owner.accountId}@example.org`
    const { executionId } = await sendForm(owner, asking('{ photo }', email), damage)
    const [mail] = await mailsTo(smtp, email)
    const [photo] = (await callLink(server.url, mail?.token ?? '')).body.files
    const url = `${server.url}/api/v1/approvals/${mail?.token}/files/${photo.id}`
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, `bytes 1-3/${png.length}`, 'PNG'])
    await owner.send('POST', `/api/v1/workflows/executions/${executionId}/cancel`, {})
    await expect.poll(async () => (await fetch(url)).status).toBe(404)
  })
})

test('a file of the person who started a run is not shown because a text of the input mentions it', async () => {
  const owner = await server.registerAccount()
  await upload(owner, 'runs/1/private.txt')
  const mentions = 'see "runs/1/private.txt", or runs/1/private.txt'
  const asked = await start(owner, asking('{ photo: "runs/1/private.txt", note }'), { note: mentions })
  expect(await namesOf(owner, asked)).toEqual([])
  const named = await start(owner, asking('{ photo: "runs/1/private.txt", note }'), { note: 'runs/1/private.txt' })
  expect(await namesOf(owner, named)).toEqual(['runs/1/private.txt'])
})

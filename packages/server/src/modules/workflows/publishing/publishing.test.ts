import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addMember } from '#testing/approvals.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { startGitServer } from '#testing/git-server.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

// Linking a repository starts several processes of Git.
vi.setConfig({ testTimeout: 90_000 })

type Send = TestAccount['send']

let server: TestServer
let model: ModelStandIn
let owner: TestAccount
beforeAll(async () => {
  model = await startModelStandIn(() => ({ content: 'Done.' }))
  server = await createTestServer({ MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' })
})
afterAll(async () => {
  await server.close()
  await model.stop()
})
beforeEach(async () => {
  owner = await server.registerAccount()
})

const as =
  (token: string): Send =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

const restrict = (publishers = 'admins') => owner.send('PATCH', '/api/v1/account', { publishers })

/** Sends as a new user of the account. */
async function userOf(role: 'admin' | 'member'): Promise<Send> {
  return as((await addMember(server, owner, role)).token)
}

/** Sends by an API key that a user made. */
async function keyOf(send: Send): Promise<Send> {
  const { body } = await send('POST', '/api/v1/api-keys', {
    name: 'CI',
    scopes: ['workflows:read', 'workflows:write', 'triggers:write', 'marketplace:write'],
  })
  return as(body.secret)
}

/** Everything of the account that can start: its enabled workflows with their latest versions, and their triggers. */
async function live(): Promise<unknown> {
  const { rows } = await sql`
    select w.id, w.latest_version_id, w.latest_number, (select count(*)::int from triggers t where t.workflow_id = w.id) as triggers,
      (select count(*)::int from workflow_versions v where v.workflow_id = w.id and v.number > 0) as versions
    from workflows w where w.account_id = ${owner.accountId} and w.enabled and w.deleted_at is null and w.latest_version_id is not null
    order by w.id`.execute(server.database.system)
  return rows
}

const path = '/api/v1/workflows'
let names = 0
const definition = (text = 'one', name = `published-${++names}`) => documentOf(`do:\n  - say: { set: { text: ${text} } }\n`, name)
const scheduled = (name = `scheduled-${++names}`) => documentOf(`schedule: { every: { hours: 1 } }\n${greets}`, name)

/** A workflow whose published version says `one`, and whose draft says something else. */
async function changed(draft = 'two'): Promise<string> {
  const name = `changed-${++names}`
  const { body } = await owner.send('POST', path, { definition: definition('one', name) })
  await owner.send('PUT', `${path}/${body.id}/draft`, { text: definition(draft, name) })
  return body.id
}

/** A marketplace entry of another account. */
async function entry(): Promise<string> {
  const other = await server.registerAccount()
  const { id } = await other.client.workflows.create({ body: { definition: definition() } })
  const said = { summary: 'Says one word.', author: 'Example Ltd.', category: 'orders', licence: 'MIT' }
  return (await other.send('POST', `/api/v1/marketplace/publish/${id}`, said)).body.id
}

const chain = (workflowId: string, name = 'only') => ({ name: 'Chain', members: [{ name, workflowId }] })

/** Every way in by which a definition becomes the one that runs. Each prepares as the owner, and returns what a caller then sends. */
const ways: readonly (readonly [string, () => Promise<(send: Send) => Promise<Answer>>])[] = [
  ['creating a workflow', async () => (send) => send('POST', path, { definition: scheduled() })],
  ['creating a workflow from a text', async () => (send) => send('POST', path, scheduled(), { 'content-type': 'application/yaml' })],
  [
    'saving a definition',
    async () => {
      const id = await changed()
      return (send) => send('PUT', `${path}/${id}`, { definition: definition('three') })
    },
  ],
  [
    'publishing a draft',
    async () => {
      const id = await changed()
      return (send) => send('PUT', `${path}/${id}`, { publish: true, note: 'Now two' })
    },
  ],
  [
    'publishing a draft for the first time',
    async () => {
      const { body } = await owner.send('POST', path, { definition: scheduled(), publish: false })
      return (send) => send('PUT', `${path}/${body.id}`, { publish: true })
    },
  ],
  [
    'restoring an earlier version',
    async () => {
      const id = await changed()
      await owner.send('PUT', `${path}/${id}`, { publish: true })
      return async (send) => {
        const { source } = (await send('GET', `${path}/${id}?version=1`)).body
        expect((await send('PUT', `${path}/${id}/draft`, { text: source })).status).toBe(200)
        return send('PUT', `${path}/${id}`, { publish: true })
      }
    },
  ],
  [
    'enabling a published workflow',
    async () => {
      const { body } = await owner.send('POST', path, { definition: scheduled() })
      await owner.send('PUT', `${path}/${body.id}`, { enabled: false })
      return (send) => send('PUT', `${path}/${body.id}`, { enabled: true })
    },
  ],
  [
    'importing an export',
    async () => {
      const { body: exported } = await owner.send('GET', `${path}/${await changed()}/export`)
      const document = exported.document.replace(/name: changed-/, 'name: imported-')
      return (send) =>
        send('POST', `${path}/import`, { export: { format: 'millrace/workflow', formatVersion: 1, document }, publish: true })
    },
  ],
  ['creating from a template', async () => (send) => send('POST', `${path}/from-template/invoice`, {})],
  ['importing a template', async () => (send) => send('POST', '/api/v1/templates/order-processing/import', { publish: true })],
  [
    'importing from the marketplace',
    async () => {
      const id = await entry()
      return (send) => send('POST', `/api/v1/marketplace/import/${id}`, { publish: true })
    },
  ],
  [
    'creating a chain',
    async () => {
      const id = await changed()
      return (send) => send('POST', '/api/v1/chains', chain(id))
    },
  ],
  [
    'changing a chain',
    async () => {
      const id = await changed()
      const { body } = await owner.send('POST', '/api/v1/chains', chain(id))
      return (send) => send('PUT', `/api/v1/chains/${body.id}`, chain(id, 'other'))
    },
  ],
]

describe('where only administrators publish', () => {
  test.each(ways)('%s puts nothing into force for a member or an API key of one', async (_way, prepare) => {
    const act = await prepare()
    const key = await keyOf(await userOf('member'))
    await restrict()
    const before = await live()
    for (const send of [await userOf('member'), key]) {
      const { status, body } = await act(send)
      expect([status, body.code]).toEqual([403, 'publishing_restricted'])
      expect(body.detail).toMatch(/only administrators and owners .* one of them/)
    }
    expect(await live()).toEqual(before)
  })

  test.each(ways)('%s puts it into force for an administrator', async (_way, prepare) => {
    const act = await prepare()
    await restrict()
    const before = await live()
    expect((await act(await userOf('admin'))).status).toBe(200)
    expect(await live()).not.toEqual(before)
  })

  test('an API key publishes like its user, until the user is no administrator any more', async () => {
    const admin = await addMember(server, owner, 'admin')
    const send = await keyOf(as(admin.token))
    await restrict()
    expect((await send('POST', path, { definition: definition() })).status).toBe(200)
    await sql`update users set role = 'member' where id = ${admin.userId}`.execute(server.database.system)
    expect((await send('POST', path, { definition: definition() })).body.code).toBe('publishing_restricted')
  })

  test('the refusal names the member that asks for a version, and nothing is written', async () => {
    await restrict()
    const member = await userOf('member')
    const refused = await member('POST', path, { definition: definition() })
    expect(refused.body).toMatchObject({ title: 'Publishing restricted', errors: [{ pointer: '/publish' }] })
    const id = await changed()
    const { revision } = (await owner.send('GET', `${path}/${id}`)).body
    const both = { name: 'Renamed', definition: definition('three') }
    expect((await member('PUT', `${path}/${id}`, both)).body).toMatchObject({ errors: [{ pointer: '/publish' }] })
    await owner.send('PUT', `${path}/${id}`, { enabled: false })
    expect((await member('PUT', `${path}/${id}`, { enabled: true })).body).toMatchObject({ errors: [{ pointer: '/enabled' }] })
    const { data } = (await owner.send('GET', path)).body
    expect(data).toMatchObject([{ id, name: expect.stringContaining('changed'), state: 'disabled', revision: revision + 1 }])
  })

  test('a member edits drafts, tries them, runs what is published, and stops it', async () => {
    const id = await changed()
    await restrict()
    const member = await userOf('member')
    const statuses = [
      await member('POST', path, { definition: definition(), publish: false }),
      await member('PUT', `${path}/${id}/draft`, { text: definition('three') }),
      await member('PUT', `${path}/${id}`, { definition: definition('four'), name: 'Renamed', publish: false }),
      await member('POST', `${path}/${id}/duplicate`, {}),
      await member('POST', '/api/v1/agent/run', { goal: 'Say that you are done.' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    const tried = await member('POST', `${path}/${id}/test`, { input: {}, samples: false }, { prefer: 'wait=30' })
    expect(tried.body).toMatchObject({ state: 'completed', output: { text: 'four' }, workflowVersion: -1 })
    const run = await member('POST', `${path}/${id}/execute`, { input: {} }, { prefer: 'wait=30' })
    expect(run.body).toMatchObject({ state: 'completed', output: { text: 'one' }, workflowVersion: 1 })
    expect((await member('PUT', `${path}/${id}`, { enabled: false })).body).toMatchObject({ state: 'disabled', version: 1 })
  })

  test('a chain whose member got another name runs for a member, since what it does was published', async () => {
    const { body: only } = await owner.send('POST', path, { definition: definition() })
    const { body: made } = await owner.send('POST', '/api/v1/chains', chain(only.id))
    await restrict()
    await owner.send('PUT', `${path}/${only.id}`, { definition: definition() })
    expect((await (await userOf('member'))('POST', `/api/v1/chains/${made.id}/run`, {})).status).toBe(200)
  })

  test('a pull of a member publishes what an administrator linked, and a member can neither link nor change a repository', async () => {
    await using git = await startGitServer()
    await git.commit({ 'workflows/orders.yaml': definition('one', 'pulled') })
    await restrict()
    const { body: repository } = await owner.send('POST', '/api/v1/git/repositories', { url: git.url, pull: 'publish' })
    const member = await userOf('member')
    const refused = [
      await member('POST', '/api/v1/git/repositories', { url: `${git.url}/other`, pull: 'publish' }),
      await member('PATCH', `/api/v1/git/repositories/${repository.id}`, { branch: 'of-the-member' }),
    ]
    expect(refused.map(({ body }) => body.code)).toEqual(['insufficient_role', 'insufficient_role'])
    const { body } = await member('POST', `/api/v1/git/repositories/${repository.id}/pull`, {})
    expect(body.changes).toMatchObject([{ outcome: 'created' }])
    await git.commit({ 'workflows/orders.yaml': definition('two', 'pulled') })
    const again = await member('POST', `/api/v1/git/repositories/${repository.id}/pull`, {})
    expect(again.body.changes).toMatchObject([{ outcome: 'published' }])
  })
})

describe('the setting', () => {
  test('is that members publish until an administrator changes it, which is in the audit log with both states', async () => {
    const member = await userOf('member')
    expect((await member('GET', '/api/v1/account/settings')).body.publishers).toBe('members')
    expect((await member('POST', path, { definition: definition() })).status).toBe(200)
    expect((await member('PATCH', '/api/v1/account', { publishers: 'admins' })).body.code).toBe('insufficient_scope')
    const admin = await userOf('admin')
    expect((await admin('PATCH', '/api/v1/account', { publishers: 'admins' })).body).toMatchObject({ publishers: 'admins', revision: 2 })
    expect((await admin('PATCH', '/api/v1/account', { name: 'Blue River' })).body.publishers).toBe('admins')
    const { rows } = await sql<{ readonly details: unknown; readonly values: unknown }>`
      select e.details, jsonb_path_query_array(c.revealed -> 'publishers', '$.*.value') as values
      from audit_events e join audit_changes c on c.event_id = e.id
      where e.account_id = ${owner.accountId} and e.event = 'account.updated' order by e.id limit 1`.execute(server.database.system)
    expect(rows).toMatchObject([{ details: { changed: ['publishers'] }, values: expect.arrayContaining(['members', 'admins']) }])
    await restrict('members')
    expect((await member('POST', path, { definition: definition() })).status).toBe(200)
  })
})

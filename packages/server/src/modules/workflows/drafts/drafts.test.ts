import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { addMember } from '#testing/approvals.ts'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/workflows'
const says = (word: string) => `# Says ${word}.\n${documentOf(`do:\n  - say:   { set: { word: ${word} } } # here\n`, 'drafted')}`

async function drafted() {
  const account = await server.registerAccount()
  const { body } = await account.send('POST', path, { definition: says('one') })
  return { account, at: `${path}/${body.id}`, draft: `${path}/${body.id}/draft` }
}

describe('a draft', () => {
  test('an invalid text is kept as it was written, beside the last valid draft, with its diagnostics', async () => {
    const { account, at, draft } = await drafted()
    const saved = await account.send('PUT', draft, { text: 'do: [ # typing\n', syntax: 'yaml' })
    expect(saved).toMatchObject({
      status: 200,
      body: { revision: 2, valid: false, diagnostics: [{ code: 'syntax_error', severity: 'error' }] },
    })
    expect(saved.headers.get('etag')).toBe('"2"')
    expect((await account.send('GET', at)).body).toMatchObject({
      source: 'do: [ # typing\n',
      syntax: 'yaml',
      valid: false,
      hasUnpublishedChanges: true,
      revision: 2,
      definition: { do: [{ say: { set: { word: 'one' } } }] },
    })
    expect((await account.send('GET', `${at}?version=1`)).body).toMatchObject({ source: says('one'), valid: true })
  })

  test('a valid text becomes the draft with its comments, and is published on request', async () => {
    const { account, at, draft } = await drafted()
    await account.send('PUT', draft, { text: 'broken: [' })
    expect((await account.send('PUT', draft, { text: says('two') })).body).toMatchObject({ revision: 3, valid: true, diagnostics: [] })
    expect((await account.send('GET', at)).body).toMatchObject({
      source: says('two'),
      valid: true,
      version: 1,
      hasUnpublishedChanges: true,
    })
    expect((await account.send('PUT', at, { publish: true, note: 'Says two' })).body).toMatchObject({ version: 2, valid: true })
    const versions = await account.send('GET', `${at}/versions`)
    expect(versions.body.data).toMatchObject([
      { number: 2, note: 'Says two', documentVersion: expect.any(String) },
      { number: 1, note: null },
    ])
  })

  test('a restored version is the draft as it was written, and the list of versions and the audit log say where it came from', async () => {
    const { account, at, draft } = await drafted()
    await account.send('PUT', draft, { text: says('two') })
    await account.send('PUT', at, { publish: true })
    expect((await account.send('POST', `${at}/draft/restore`, { version: 1 })).body).toEqual({ revision: 4 })
    expect((await account.send('GET', at)).body).toMatchObject({ source: says('one'), version: 2, hasUnpublishedChanges: true })
    await account.send('PUT', at, { publish: true })
    const { data } = (await account.send('GET', `${at}/versions`)).body
    expect(data).toMatchObject([
      { number: 3, restores: 1 },
      { number: 2, restores: null },
      { number: 1, restores: null },
    ])
    expect((await account.send('GET', '/api/v1/audit/query?event=workflow.restored')).body.data).toMatchObject([
      { target: at.split('/').at(-1), details: { version: 1, revision: 4 } },
    ])
    expect((await account.send('POST', `${at}/draft/restore`, { version: 9 })).body).toMatchObject({ code: 'not_found' })
    expect((await account.send('POST', `${at}/draft/restore`, { version: 2 ** 31 })).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/version' }],
    })
  })

  test('an invalid draft cannot be published, and a change of the name alone keeps it', async () => {
    const { account, at, draft } = await drafted()
    await account.send('PUT', draft, { text: 'do: [' })
    expect(await account.send('PUT', at, { publish: true })).toMatchObject({ status: 422, body: { code: 'workflow_invalid' } })
    expect((await account.send('PUT', at, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', source: 'do: [', valid: false })
    expect((await account.send('PUT', at, { definition: says('one') })).body).toMatchObject({ source: says('one'), valid: true })
  })

  test('the workflow says who saved its draft last', async () => {
    const { account, at, draft } = await drafted()
    await sql`update users set name = 'Sara' where id = ${account.userId}`.execute(server.database.system)
    const saved = (await account.send('GET', at)).body
    expect([saved.updatedBy, saved.updatedByName]).toEqual([`user:${toTypeId('usr', account.userId)}`, 'Sara'])
    const member = await addMember(server, account)
    await member.client.workflowDrafts.save({ params: { id: at.slice(path.length + 1) }, body: { text: says('two') } })
    expect((await account.send('GET', at)).body.updatedBy).toBe(`user:${member.id}`)
    expect((await account.send('GET', draft.replace('/draft', '?version=1'))).body).not.toHaveProperty('updatedBy')
  })

  test('the same text again changes nothing, and an older revision is refused', async () => {
    const { account, draft } = await drafted()
    const first = await account.send('PUT', draft, { text: '' })
    expect(first.body).toMatchObject({ revision: 2, valid: false })
    expect((await account.send('PUT', draft, { text: '' })).body.revision).toBe(2)
    const stale = await account.send('PUT', draft, { text: 'x' }, { 'if-match': '"1"' })
    expect(stale).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
    expect((await account.send('PUT', draft, { text: 'x' }, { 'if-match': '"2"' })).body.revision).toBe(3)
  })

  test('that another person saves while it is published is neither published nor lost', async () => {
    const { account, at } = await drafted()
    const { system } = server.database
    const { accountId } = account
    const workflowId = fromTypeId('wf', at.slice(path.length + 1))
    // As an older server, which did not accept the text, has kept it.
    await sql`
      insert into workflow_drafts (workflow_id, account_id, source, syntax, updated_at, updated_by)
      values (${workflowId}, ${accountId}, ${says('two')}, 'yaml', now(), 'test')`.execute(system)
    const publishing = await system.transaction().execute(async (tx) => {
      await sql`select from workflows where id = ${workflowId} for update`.execute(tx)
      const sent = account.send('PUT', at, { publish: true })
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waiting.execute(system)).rows.length).toBe(1)
      await sql`update workflow_drafts set source = 'newer: [' where workflow_id = ${workflowId}`.execute(tx)
      return { sent }
    })
    expect(await publishing.sent).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
    expect((await account.send('GET', at)).body).toMatchObject({ source: 'newer: [', version: 1 })
    await sql`update workflow_drafts set source = ${says('two')} where workflow_id = ${workflowId}`.execute(system)
    expect((await account.send('PUT', at, { publish: true })).body).toMatchObject({ source: says('two'), version: 2, valid: true })
  })

  test('of another account is not there,', async () => {
    const { draft, at } = await drafted()
    const other = await server.registerAccount()
    expect(await other.send('PUT', draft, { text: 'x' })).toMatchObject({ status: 404 })
    expect(await other.send('GET', `${at}/versions`)).toMatchObject({ status: 404 })
  })
})

test('versions are listed page by page, newest first', async () => {
  const { account, at } = await drafted()
  for (const word of ['two', 'three']) await account.send('PUT', at, { definition: says(word) })
  const first = await account.send('GET', `${at}/versions?limit=2`)
  expect(first.body.data.map(({ number }: { number: number }) => number)).toEqual([3, 2])
  const second = await account.send('GET', `${at}/versions?limit=2&cursor=${first.body.nextCursor}`)
  expect(second.body).toMatchObject({ data: [{ number: 1 }], nextCursor: null })
})

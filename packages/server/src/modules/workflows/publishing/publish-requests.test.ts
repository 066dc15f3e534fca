import { ClientError } from '@millrace/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeWorkflows } from '#modules/workflows/purge.ts'
import { addMember, type Member } from '#testing/approvals.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let owner: TestAccount
let member: Member
let admin: Member
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.registerAccount()
  ;[member, admin] = [await addMember(server, owner, 'member'), await addMember(server, owner, 'admin')]
  await owner.client.account.update({ body: { publishers: 'admins' } })
})

type Client = TestAccount['client']

let names = 0
const says = (word: string, name: string) => documentOf(`do:\n  - say: { set: { word: ${word} } }\n`, name)

/** A published workflow whose draft a member has changed. */
async function changed() {
  const name = `asked-${++names}`
  const { id } = await owner.client.workflows.create({ body: { definition: says('one', name) } })
  const save = (word: string) => member.client.workflowDrafts.save({ params: { id }, body: { text: says(word, name) } })
  await save('two')
  return { id, save, params: { id } }
}

const publishingOf = async ({ workflows }: Client, id: string) => (await workflows.get({ params: { id } })).publishing
const noticesOf = async ({ notifications }: Client) => (await notifications.list({ query: { kind: 'publish.requested' } })).data
const codeOf = (promise: Promise<unknown>) =>
  promise.then(undefined, (error: unknown) => (error instanceof ClientError ? error.code : error))

describe('asking for a publication', () => {
  test('notifies administrators and owners with the note, and both sides see who asked until it is published', async () => {
    const { id, params } = await changed()
    expect(await publishingOf(member.client, id)).toEqual({ allowed: false, request: null })
    const asked = await member.client.workflowDrafts.askToPublish({ params, body: { note: ' Says two, for the sale. ' } })
    expect(asked).toMatchObject({ note: 'Says two, for the sale.', requestedBy: `user:${member.id}`, isCurrent: true })
    expect(asked.requestedByName).toMatch(/^Member \d+$/)
    for (const [{ client }, allowed] of [
      [member, false],
      [admin, true],
      [owner, true],
    ] as const)
      expect(await publishingOf(client, id)).toEqual({ allowed, request: asked })
    for (const { client } of [admin, owner])
      expect(await noticesOf(client)).toMatchObject([
        {
          title: expect.stringMatching(/^Member \d+ asks to publish asked-/),
          body: 'Says two, for the sale.',
          link: `/workflows/${id}`,
          count: 1,
        },
      ])
    expect(await noticesOf(member.client)).toEqual([])
    const published = await admin.client.workflows.update({ params, body: { publish: true } })
    expect(published).toMatchObject({ version: 2, publishing: { allowed: true, request: null } })
    await member.client.workflowDrafts.save({ params, body: { text: says('three', 'asked-again') } })
    expect((await publishingOf(member.client, id))?.request).toBeNull()
    expect(await noticesOf(member.client)).toMatchObject([
      { title: expect.stringMatching(/^asked-\d+ was published as you asked$/), body: 'It is version 2.', link: `/workflows/${id}` },
    ])
  })

  test('the person who asked hears that something else was published, and nothing of a publication of their own', async () => {
    const { save, params } = await changed()
    await member.client.workflowDrafts.askToPublish({ params })
    await save('three')
    await admin.client.workflows.update({ params, body: { publish: true } })
    expect(await noticesOf(member.client)).toMatchObject([
      { title: expect.stringMatching(/ was published with other changes than you asked for$/) },
    ])
    await save('four')
    await admin.client.workflowDrafts.askToPublish({ params })
    await admin.client.workflows.update({ params, body: { publish: true } })
    expect(await noticesOf(admin.client)).toMatchObject([{ title: expect.stringMatching(/^Member \d+ asks to publish /) }])
  })

  test('a request that is open is listed, and declined by those who may publish with a note to the person who asked', async () => {
    const { id, save, params } = await changed()
    const { client } = member
    const other = await addMember(server, owner, 'member')
    const request = await client.workflowDrafts.askToPublish({ params, body: { note: 'Two' } })
    const listed = async () => (await admin.client.workflowDrafts.publishRequests({})).data
    const entry = { workflowId: id, workflowName: expect.stringMatching(/^asked-/) }
    expect(await listed()).toEqual([{ ...entry, request }])
    await save('one')
    expect(await listed()).toEqual([])
    await client.workflowDrafts.save({ params, body: { text: 'do: [' } })
    expect(await listed()).toEqual([{ ...entry, request: { ...request, isCurrent: false } }])
    expect(await codeOf(other.client.workflowDrafts.declinePublishRequest({ params }))).toBe('forbidden')
    await admin.client.workflowDrafts.declinePublishRequest({ params, body: { note: 'Test it with refunds first.' } })
    expect(await listed()).toEqual([])
    expect(await noticesOf(client)).toMatchObject([
      {
        title: expect.stringMatching(/^Member \d+ declined to publish asked-/),
        body: 'Test it with refunds first.',
        link: `/workflows/${id}`,
      },
    ])
    expect(await codeOf(admin.client.workflowDrafts.declinePublishRequest({ params }))).toBe('not_found')
    await save('five')
    await client.workflowDrafts.askToPublish({ params })
    await client.workflowDrafts.declinePublishRequest({ params })
    expect(await listed()).toEqual([])
    expect(await noticesOf(client)).toHaveLength(1)
  })

  test('the same draft is asked for once, and another one is asked for anew', async () => {
    const { id, save, params } = await changed()
    const asks = { params, body: { note: 'Two' } }
    const first = await member.client.workflowDrafts.askToPublish(asks)
    const other = await addMember(server, owner, 'member')
    for (const { client } of [member, other]) expect(await client.workflowDrafts.askToPublish(asks)).toEqual(first)
    expect(await noticesOf(admin.client)).toMatchObject([{ count: 1 }])
    await save('three')
    expect((await publishingOf(admin.client, id))?.request).toMatchObject({ note: 'Two', isCurrent: false })
    await save('two')
    expect((await publishingOf(admin.client, id))?.request).toMatchObject({ isCurrent: true })
    await save('three')
    const second = await other.client.workflowDrafts.askToPublish({ params, body: { note: 'Three' } })
    expect(second).toMatchObject({ note: 'Three', requestedBy: `user:${other.id}`, isCurrent: true })
    expect(await noticesOf(admin.client)).toMatchObject([{ body: 'Three', count: 2 }])
  })

  test('a draft that is published, is not valid, or was reverted has nothing to ask for', async () => {
    const { id, save, params } = await changed()
    await member.client.workflowDrafts.askToPublish({ params })
    await save('one')
    expect(await publishingOf(admin.client, id)).toMatchObject({ request: null })
    expect(await codeOf(member.client.workflowDrafts.askToPublish({ params }))).toBe('conflict')
    await member.client.workflowDrafts.save({ params, body: { text: 'do: [' } })
    expect(await codeOf(member.client.workflowDrafts.askToPublish({ params }))).toBe('conflict')
  })

  test('a person who may publish can ask others to look first, and hears nothing of it', async () => {
    const { params } = await changed()
    await admin.client.workflowDrafts.askToPublish({ params, body: { note: '' } })
    expect(await noticesOf(admin.client)).toEqual([])
    expect(await noticesOf(owner.client)).toMatchObject([{ body: '' }])
  })

  test('a viewer can neither publish nor ask, also where members publish', async () => {
    const { id, params } = await changed()
    const viewer = await addMember(server, owner, 'viewer')
    await owner.client.account.update({ body: { publishers: 'members' } })
    expect(await publishingOf(viewer.client, id)).toMatchObject({ allowed: false })
    expect(await publishingOf(member.client, id)).toMatchObject({ allowed: true })
    expect(await codeOf(viewer.client.workflowDrafts.askToPublish({ params }))).toBe('insufficient_scope')
  })

  test('a request is deleted with the workflows of a deleted account', async () => {
    const { params } = await changed()
    await member.client.workflowDrafts.askToPublish({ params })
    const db = server.database.system
    await purgeWorkflows(db, owner.accountId)
    expect((await sql`select from workflow_publish_requests where account_id = ${owner.accountId}`.execute(db)).rows).toEqual([])
  })
})

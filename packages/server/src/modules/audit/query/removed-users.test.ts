import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, currentApproval, openApproval } from '#testing/approvals.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const log = async (account: TestAccount, query: string) => (await account.send('GET', `/api/v1/audit/query?${query}`)).body
const formerOf = async (account: TestAccount, query = '') => (await account.send('GET', `/api/v1/account/users${query}`)).body.former

async function erase(account: TestAccount, values: readonly string[]) {
  const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values, reason: 'Request of the person' })
  const state = async () => (await account.send('GET', `/api/v1/privacy/erasures/${body.id}`)).body.state
  await expect.poll(state, { interval: 100 }).toBe('done')
}

test('a user who was removed keeps the name in the log and in the account, but not in another account, until an erasure of the address', async () => {
  const [owner, other] = [await server.registerAccount(), await server.registerAccount()]
  const [dana, kim] = [await addMember(server, owner), await addMember(server, owner)]
  await dana.client.auth.updateMe({ body: { name: 'Dana Reyes' } })
  const decided = await openApproval(owner, { approvers: [dana.id] })
  const asked = await openApproval(owner, { approvers: [dana.id] })
  expect((await dana.decide(decided, { decision: 'reject', reason: 'No receipt.' })).status).toBe(200)
  expect(await formerOf(owner)).toEqual([])
  expect((await log(owner, `actor=user:${dana.id}`)).former).toEqual([])
  const { body } = await owner.send('DELETE', `/api/v1/account/users/${dana.id}?reassignTo=${kim.id}`)
  expect(body.reassigned).toEqual([asked.approvalId])

  const handedOver = await log(owner, `target=${asked.approvalId}`)
  expect(handedOver.data[0].details).toMatchObject({ from: dana.id, to: kim.id })
  expect(handedOver.names).toMatchObject({ [dana.id]: 'Dana Reyes', [kim.id]: expect.any(String) })
  expect(handedOver.former).toEqual([dana.id])
  for (const text of ['dana%20reyes', dana.email])
    expect((await log(owner, `q=${text}&event=approval.answered`)).data.map(({ target }: { target: string }) => target)).toEqual([
      decided.approvalId,
    ])
  expect((await currentApproval(owner, decided)).approvers).toEqual([dana.id])
  expect(await formerOf(owner)).toEqual([{ id: dana.id, name: 'Dana Reyes' }])
  expect(await formerOf(other)).toEqual([])
  expect((await log(other, `q=${dana.id}`)).names).not.toHaveProperty(dana.id)

  await erase(owner, [dana.email])
  const erased = await log(owner, `actor=user:${dana.id}`)
  expect(erased.data.map(({ event }: { event: string }) => event)).toContain('approval.answered')
  expect([erased.names[dana.id], erased.former, await formerOf(owner)]).toEqual([undefined, [], []])
  expect((await owner.send('GET', '/api/v1/audit/verify')).body).toMatchObject({ verified: true })
})

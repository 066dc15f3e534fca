import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function erase(account: TestAccount, values: readonly string[]) {
  const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values })
  const read = async () => (await account.send('GET', `/api/v1/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await read()).state, { interval: 100 }).toBe('done')
  return read()
}

test('an erasure keeps the files that people wrote, and names those that contain the data and those that cannot be searched', async () => {
  const account = await server.registerAccount()
  const person = 'Ambrose Frotz'
  const put = (file: string, content: string) => account.send('PUT', `/api/v1/files?name=${encodeURIComponent(file)}`, content)
  await put('long.txt', `${'é'.repeat(300_000)}${person.toUpperCase()}`)
  await put('other.txt', 'nothing of them')
  await put('picture.png', '\u{0}PNG')
  await put(`of ${person}.txt`, `see ${person}`)
  const done = await erase(account, [person])
  expect(done.state).toBe('done')
  const file = (name: unknown) => ({ id: expect.stringMatching(/^file_/), name })
  const category = 'account files'
  expect(done.kept).toEqual([
    { category, records: 1, reason: 'The name of a file: upload it under another name, and delete this one.' },
    {
      category,
      records: 2,
      reason: 'In the content of files: delete them, or replace them.',
      files: [file('long.txt'), file(expect.stringMatching(/^of \[erased:.*\]\.txt$/))],
    },
    { category, records: 1, reason: expect.stringMatching(/cannot be searched/), files: [file('picture.png')] },
  ])
  expect((await account.send('GET', '/api/v1/files')).body.data).toHaveLength(4)
  const { body } = await account.send('GET', '/api/v1/account/data')
  expect(body.categories).toContainEqual(expect.objectContaining({ category: 'files', records: 4 }))
})

const applies = `input:
  schema:
    document:
      type: object
      required: [email]
      properties:
        email: { type: string, format: email }
        proof: { type: string, format: file }
do:
  - keep: { call: files.put, with: { name: '\${ "copies/" + .email[0:1] + ".bin" }', contentBase64: AAEC } }
`

/** Fills in a start form with a file. @returns the name of the file. */
async function submit(account: TestAccount, hook: string, of: string, filename: string): Promise<string> {
  const form = new FormData()
  form.set('email', of)
  form.set('proof', new File(['\u{0}a picture of them'], filename, { type: 'image/png' }))
  const response = await fetch(`${server.url}${hook}`, { method: 'POST', body: form, redirect: 'manual' })
  expect(response.status, await response.text()).toBeLessThan(400)
  const names: readonly string[] = (await account.client.files.list({ query: { prefix: 'forms/' } })).data.map(({ name: file }) => file)
  return names.find((file) => file.endsWith(filename)) ?? ''
}

test('an erasure deletes the files that were sent with the forms of the person, previews them, and names what their runs wrote', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(applies) } })
  const { body: trigger } = await account.send('POST', '/api/v1/triggers/webhook', {
    workflowId: id,
    name: 'Apply',
    webhook: { signature: { scheme: 'none' }, form: {} },
  })
  const hook = new URL(trigger.webhook.url, server.url).pathname
  await submit(account, hook, 'kim@customer.example', 'pot.png')
  const others = await submit(account, hook, 'lee@customer.example', 'pan.png')
  await submit(account, hook, 'kim@customer.example', 'kim@customer.example.png')
  await expect.poll(async () => (await account.client.files.list({ query: { prefix: 'copies/' } })).data.length).toBe(2)
  await expect.poll(async () => (await account.send('GET', '/api/v1/executions?state=completed')).body.data.length).toBe(3)
  // A run that had the data, and one that had not, name a picture each.
  for (const [of, photo] of [
    ['Kim Customer', 'photo "of" kim.png'],
    ['Lee Customer', 'photo of lee.png'],
  ]) {
    await account.send('PUT', `/api/v1/files?name=${encodeURIComponent(photo ?? '')}`, '\u{0}PNG')
    const start = { input: { email: 'info@shop.example', of, photo } }
    await account.send('POST', `/api/v1/workflows/${id}/execute`, start, { prefer: 'wait=20' })
  }
  const values = ['kim@customer.example', 'Kim Customer']

  const { body: preview } = await account.send('POST', '/api/v1/privacy/erasures/preview', { values })
  expect(preview).toMatchObject({
    records: expect.arrayContaining([{ category: 'executions', records: 3, action: 'replace' }]),
    files: [expect.anything(), expect.anything()],
    moreFiles: 0,
  })
  expect(preview.files.map(({ name: file }: { readonly name: string }) => file.split('/').at(-1)).toSorted()).toEqual([
    'kim@customer.example.png',
    'pot.png',
  ])
  expect((await account.client.files.list({ query: { prefix: 'forms/' } })).data).toHaveLength(3)

  const done = await erase(account, values)
  expect(done).toMatchObject({ state: 'done', erased: expect.arrayContaining([{ category: 'account files', records: 2 }]) })
  expect((await account.client.files.list({ query: { prefix: 'forms/' } })).data).toMatchObject([{ name: others }])
  expect(done.kept).toEqual([
    {
      category: 'account files',
      records: 2,
      reason: expect.stringMatching(/^Of runs that had the data/),
      files: expect.arrayContaining([
        { id: expect.any(String), name: 'copies/k.bin' },
        { id: expect.any(String), name: 'photo "of" kim.png' },
      ]),
    },
    { category: 'account files', records: 4, reason: expect.stringMatching(/cannot be searched/), files: expect.any(Array) },
  ])
})

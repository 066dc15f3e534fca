import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { addMember } from '#testing/approvals.ts'
import { startGitServer } from '#testing/git-server.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/git/repositories'
const orders = (greeting: string, name = 'orders') =>
  `# Orders of the shop\ndocument:\n  dsl: 1.0.3\n  namespace: shop\n  name: ${name}\n  version: 1.0.0\ndo:\n  - greet:\n      set: { greeting: ${greeting} } # kept\n`
const file = 'workflows/orders.yaml'

let server: TestServer
let account: TestAccount
let git: Awaited<ReturnType<typeof startGitServer>>
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  account = await server.registerAccount()
  git = await startGitServer()
})
afterEach(() => git[Symbol.asyncDispose]())

async function link(more: object = {}): Promise<string> {
  const { status, body } = await account.send('POST', path, { url: git.url, ...more })
  expect([status, body.errors]).toEqual([200, undefined])
  return body.id
}
const pull = (id: string, body: object = {}) => account.send('POST', `${path}/${id}/pull`, body)
const push = (id: string, body: object = {}) => account.send('POST', `${path}/${id}/push`, body)
const outcomes = ({ body }: { body: { changes: { path: string; outcome: string }[] } }) =>
  body.changes.map((change) => [change.path, change.outcome])
const workflowOf = async (id: string) => (await account.send('GET', `/api/v1/workflows/${id}`)).body
const edit = async (id: string, text: string, publish = false) => {
  const { status } = await account.send('PUT', `/api/v1/workflows/${id}`, { definition: text, publish })
  expect(status).toBe(200)
}

describe('a pull', () => {
  test('makes drafts of new and changed files, with their comments, and leaves what is equal', async () => {
    await git.commit({ [file]: orders('hello'), 'README.md': 'text' })
    const id = await link()
    const first = await pull(id)
    expect(outcomes(first)).toEqual([[file, 'created']])
    const workflowId = first.body.changes[0].workflowId
    expect(await workflowOf(workflowId)).toMatchObject({ source: orders('hello'), syntax: 'yaml', version: null })
    expect(outcomes(await pull(id))).toEqual([[file, 'unchanged']])
    await git.commit({ [file]: orders('welcome') })
    expect(outcomes(await pull(id))).toEqual([[file, 'updated']])
    expect((await workflowOf(workflowId)).source).toBe(orders('welcome'))
    const { data } = (await account.send('GET', path)).body
    expect(data).toMatchObject([{ id, files: 1, problem: null, conflicts: [], commit: expect.stringMatching(/^[0-9a-f]{40}$/) }])
  })

  test('of the branch that is merged to publishes versions, while another branch makes drafts', async () => {
    await git.commit({ [file]: orders('hello') })
    const [production, development] = [await link({ pull: 'publish' }), await link({ branch: 'develop' })]
    const { body } = await pull(production)
    const { workflowId } = body.changes[0]
    expect(await workflowOf(workflowId)).toMatchObject({ version: 1 })
    await git.commit({ [file]: orders('soon') }, 'develop')
    expect(outcomes(await pull(development, { resolve: { [file]: 'repository' } }))).toEqual([[file, 'updated']])
    expect(await workflowOf(workflowId)).toMatchObject({ version: 1, source: orders('soon') })
    // The merge.
    await git.commit({ [file]: orders('soon') })
    expect(outcomes(await pull(production))).toEqual([[file, 'published']])
    expect(await workflowOf(workflowId)).toMatchObject({ version: 2 })
  })

  test('of a file that has changed on both sides is a conflict, until a side is named', async () => {
    await git.commit({ [file]: orders('hello') })
    const id = await link()
    const { workflowId } = (await pull(id)).body.changes[0]
    await edit(workflowId, orders('mine'))
    await git.commit({ [file]: orders('theirs') })
    expect(outcomes(await pull(id))).toEqual([[file, 'conflict']])
    expect(outcomes(await push(id))).toEqual([[file, 'conflict']])
    expect((await account.send('GET', path)).body.data[0].conflicts).toEqual([file])
    expect((await workflowOf(workflowId)).source).toBe(orders('mine'))
    expect(outcomes(await pull(id, { resolve: { [file]: 'repository' } }))).toEqual([[file, 'updated']])
    expect((await workflowOf(workflowId)).source).toBe(orders('theirs'))
    expect((await account.send('GET', path)).body.data[0].conflicts).toEqual([])
  })

  test('of a name that the account has already is a conflict, and a file that is gone leaves its workflow', async () => {
    const made = await account.send('POST', '/api/v1/workflows', { definition: orders('present') })
    await git.commit({ [file]: orders('other'), 'workflows/second.yaml': orders('second', 'second') })
    const id = await link()
    const first = await pull(id)
    expect(outcomes(first)).toEqual([
      [file, 'conflict'],
      ['workflows/second.yaml', 'created'],
    ])
    expect(first.body.changes[0].workflowId).toBe(made.body.id)
    await git.commit({ 'workflows/second.yaml': null })
    expect(outcomes(await pull(id))).toContainEqual(['workflows/second.yaml', 'removed'])
    expect((await workflowOf(first.body.changes[1].workflowId)).name).toBe('second')
  })

  test('of two files with one document name takes the one that is linked, or else the first, and names both', async () => {
    const [first, second] = ['workflows/first.yaml', 'workflows/second.yaml']
    await git.commit({ [first]: orders('one'), [second]: orders('two') })
    const id = await link({ pull: 'publish' })
    const { body } = await pull(id)
    expect(outcomes({ body })).toEqual([
      [first, 'created'],
      [second, 'invalid'],
    ])
    expect(body.changes[1].detail).toContain(`${second} has the document name shop/orders, which is that of the workflow of ${first}.`)
    await git.commit({ 'workflows/earlier.yaml': orders('three') })
    expect(outcomes(await pull(id, { resolve: { [second]: 'repository' } }))).toEqual([
      ['workflows/earlier.yaml', 'invalid'],
      [first, 'unchanged'],
      [second, 'invalid'],
    ])
    expect(await workflowOf(body.changes[0].workflowId)).toMatchObject({ version: 1, source: orders('one') })
    await git.commit({ 'workflows/earlier.yaml': null, [first]: null })
    expect(outcomes(await pull(id, { resolve: { [second]: 'repository' } }))).toEqual([
      [second, 'published'],
      [first, 'removed'],
    ])
  })

  test('leaves a workflow to the first of two files that an earlier release linked to it', async () => {
    await git.commit({ [file]: orders('one') })
    const id = await link()
    const { workflowId } = (await pull(id)).body.changes[0]
    await sql`
      insert into git_files (repository_id, account_id, path, workflow_id, base_sha256)
      select repository_id, account_id, 'workflows/second.yaml', workflow_id, base_sha256 from git_files where repository_id = ${fromTypeId('repo', id)}`.execute(
      server.database.system,
    )
    await git.commit({ 'workflows/second.yaml': orders('two') })
    expect(outcomes(await pull(id))).toEqual([
      [file, 'unchanged'],
      ['workflows/second.yaml', 'invalid'],
    ])
    await git.commit({ 'workflows/second.yaml': orders('two', 'second') })
    expect(outcomes(await pull(id))).toContainEqual(['workflows/second.yaml', 'created'])
    expect((await workflowOf(workflowId)).source).toBe(orders('one'))
  })

  test('reports a definition that is not valid, and takes the others', async () => {
    await git.commit({ [file]: orders('hello'), 'workflows/wrong.yaml': 'document: [', 'workflows/deep/inner.json': '{"do": 1}' })
    const { body } = await pull(await link())
    expect(outcomes({ body })).toEqual([
      ['workflows/deep/inner.json', 'invalid'],
      [file, 'created'],
      ['workflows/wrong.yaml', 'invalid'],
    ])
    expect(body.changes[2].detail).not.toBeNull()
  })
})

describe('a push', () => {
  test('commits what has changed here as its author wrote it, and new workflows to a file of their own', async () => {
    await git.commit({ [file]: orders('hello') })
    const id = await link()
    const { workflowId } = (await pull(id)).body.changes[0]
    await edit(workflowId, orders('changed'))
    const { body: added } = await account.send('POST', '/api/v1/workflows', { definition: orders('second', 'second'), name: 'Second' })
    const pushed = await push(id, { workflowIds: [added.id] })
    expect(outcomes(pushed)).toEqual([
      [file, 'pushed'],
      ['workflows/second.yaml', 'pushed'],
    ])
    expect([await git.read(file), await git.read('workflows/second.yaml')]).toEqual([orders('changed'), orders('second', 'second')])
    expect(await git.messages()).toBe('Update 2 workflows\nChange')
    expect(outcomes(await push(id))).toEqual([
      [file, 'unchanged'],
      ['workflows/second.yaml', 'unchanged'],
    ])
  })

  test('begins a branch that does not exist, and pushes published versions where pulls publish', async () => {
    await git.commit({ 'README.md': 'x' })
    const id = await link({ branch: 'production', pull: 'publish' })
    const { body: made } = await account.send('POST', '/api/v1/workflows', { definition: orders('one'), publish: true })
    await edit(made.id, orders('unfinished'))
    expect(outcomes(await push(id, { workflowIds: [made.id], message: 'Begin' }))).toEqual([[file, 'pushed']])
    expect(await git.read(file, 'production')).toBe(orders('one'))
  })

  test('names who pushes as the author, others who changed workflows as co-authors, and only the server where the repository names no people', async () => {
    await sql`update users set name = 'Sara <Lind>' where id = ${account.userId}`.execute(server.database.system)
    const other = await addMember(server, account)
    await sql`update users set name = 'Bo' where id = ${other.userId}`.execute(server.database.system)
    const { id: one } = (await account.send('POST', '/api/v1/workflows', { definition: orders('one') })).body
    const { id: two } = await other.client.workflows.create({ body: { definition: orders('two', 'second') } })
    const ident = async (branch: string) => {
      await git.git('fetch', '--quiet', git.bare, `+refs/heads/${branch}:refs/heads/seen-${branch}`)
      return git.git('log', '-1', '--format=%an <%ae>|%cn <%ce>|%(trailers:key=Co-authored-by,valueonly)', `seen-${branch}`)
    }
    expect((await push(await link(), { workflowIds: [one, two] })).status).toBe(200)
    const { email } = await other.client.auth.me()
    expect(await ident('main')).toBe(`Sara Lind <${account.email}>|Millrace <millrace@localhost>|Bo <${email}>`)
    expect((await push(await link({ branch: 'quiet', authors: false }), { workflowIds: [one, two] })).status).toBe(200)
    expect(await ident('quiet')).toBe('Millrace <millrace@localhost>|Millrace <millrace@localhost>|')
  })

  test('goes by itself after a publication, and a merge is published by itself', async () => {
    await git.commit({ [file]: orders('hello') })
    const id = await link({ pull: 'publish', automatic: true })
    const sync = () => sql`update git_repositories set next_at = now() where id = ${fromTypeId('repo', id)}`.execute(server.database.system)
    await expect.poll(async () => (await account.send('GET', path)).body.data[0].files).toBe(1)
    const { data } = (await account.send('GET', '/api/v1/workflows')).body
    await edit(data[0].id, orders('published'), true)
    await sync()
    await expect.poll(() => git.read(file)).toBe(orders('published'))
    await git.git('fetch', '--quiet', git.bare, 'main')
    expect(await git.git('log', '-1', '--format=%ae', 'FETCH_HEAD')).toBe(account.email)
  })

  test('with credentials of a connection reaches a private repository, and says so without them', async () => {
    const secret = ['git', 'pass', '4711'].join('-')
    await using closed = await startGitServer({ username: 'ada', password: secret })
    await closed.commit({ [file]: orders('hello') })
    const settings = { kind: 'basic', url: closed.origin, username: 'ada' }
    await account.send('POST', '/api/v1/connections', { name: 'forge', settings, secrets: { password: secret } })
    const open = await pull(await link({ url: closed.url }))
    expect([open.status, open.body.code]).toEqual([422, 'git_failed'])
    const id = await link({ url: closed.url, connection: 'forge', branch: 'main', folder: '' })
    expect(outcomes(await pull(id))).toEqual([[file, 'created']])
    const elsewhere = await pull(await link({ connection: 'forge' }))
    expect([elsewhere.status, elsewhere.body.detail]).toEqual([422, expect.stringContaining('alone')])
  })
})

describe('a hostile repository', () => {
  test('with symbolic links, submodules and paths that lead out is read without harm', async () => {
    await git.commit({ [file]: orders('hello'), 'workflows/link.yaml': { link: '/etc/passwd' } })
    const { body } = await pull(await link())
    expect(outcomes({ body })).toEqual([
      ['workflows/link.yaml', 'skipped'],
      [file, 'created'],
    ])
    const inner = await git.blob(orders('x', 'x'))
    const submodule = '1234567890123456789012345678901234567890'
    await git.pushTree(`100644 blob ${inner}\tok.yaml\n160000 commit ${submodule}\tsub.yaml\n`, 'modules')
    const found = await pull(await link({ branch: 'modules', folder: '' }))
    expect(outcomes(found)).toEqual([
      ['ok.yaml', 'created'],
      ['sub.yaml', 'skipped'],
    ])
    await git.pushTree(`100644 blob ${inner}\t..\n`, 'dots')
    const dots = await pull(await link({ branch: 'dots', folder: '' }))
    expect([dots.status, dots.body.detail]).toEqual([422, expect.stringMatching(/hasDotdot|fsck|\.\./)])
  })

  test('with definitions that nest, grow by aliases, are full of expressions or are no text is pulled without them', async () => {
    const aliases = [...'bcdefghijklmnopqrstuvwx'].map(
      (name, index) => `${name}: &${name} [*${'abcdefghijklmnopqrstuvwx'[index]},*${'abcdefghijklmnopqrstuvwx'[index]}]`,
    )
    const set = Array.from({ length: 3_000 }, (_, index) => `  - t${index}: { set: { a: '\${ ..|..|..|.. }<script>' } }\n`)
    await git.commit({
      'workflows/aliases.yaml': `a: &a [1,2]\n${aliases.join('\n')}\n`,
      'workflows/cycle.yaml': 'a: &a [*a]\n',
      'workflows/deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'workflows/expressions.yaml': `document: { dsl: 1.0.3, namespace: shop, name: many, version: 1.0.0 }\ndo:\n${set.join('')}`,
      'workflows/zeros.yaml': '\0\u0001\uFFFE'.repeat(1_000),
      [file]: orders('hello'),
    })
    expect(outcomes(await pull(await link()))).toEqual([
      ['workflows/aliases.yaml', 'invalid'],
      ['workflows/cycle.yaml', 'invalid'],
      ['workflows/deep.json', 'invalid'],
      ['workflows/expressions.yaml', 'created'],
      [file, 'created'],
      ['workflows/zeros.yaml', 'invalid'],
    ])
  })

  test('with a definition of many megabytes is skipped', async () => {
    await git.commit({ 'workflows/large.yaml': `# ${'x'.repeat(2_000_000)}`, [file]: orders('hello') })
    expect(outcomes(await pull(await link()))).toEqual([
      ['workflows/large.yaml', 'skipped'],
      [file, 'created'],
    ])
  })

  test('that redirects, is no repository, or is at an address that workflows may not reach, is refused', async () => {
    await using elsewhere = await listenLocally(async (incoming, outgoing) => {
      outgoing.writeHead(302, { location: `${git.origin}${incoming.url}` }).end()
    })
    const redirected = await pull(await link({ url: `${elsewhere.url}/shop.git` }))
    const before = git.seen.length
    expect([redirected.status, git.seen.length]).toEqual([422, before])
    const missing = await pull(await link({ url: `${git.origin}/missing.git` }))
    const denied = await pull(await link({ url: 'http://169.254.169.254/shop.git' }))
    expect([missing.status, denied.status, denied.body.detail]).toEqual([422, 422, expect.stringContaining('may reach')])
  })

  test.each([
    ['a file of the server', { url: 'file:///etc' }, '/url'],
    ['a transport that runs programs', { url: 'ext::sh -c id' }, '/url'],
    ['credentials in the address', { url: 'https://ada:pass@example.com/x.git' }, '/url'],
    ['a branch that is an option', { branch: '--upload-pack=id' }, '/branch'],
    ['a folder that leads out', { folder: '../etc' }, '/folder'],
  ])('is refused when it is linked: %s', async (_what, given, pointer) => {
    const { status, body } = await account.send('POST', path, { url: git.url, ...given })
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer])
  })
})

test('a repository of another account cannot be pulled, and a second pull at the same time is refused', async () => {
  await git.commit({ [file]: orders('hello') })
  const id = await link()
  const other = await server.registerAccount()
  expect((await other.send('POST', `${path}/${id}/pull`, {})).status).toBe(404)
  const both = await Promise.all([pull(id), pull(id)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await account.send('POST', path, { url: git.url })).status).toBe(409)
  expect((await account.send('DELETE', `${path}/${id}`)).status).toBe(200)
})

describe('a change of a linked repository', () => {
  const change = (id: string, body: object) => account.send('PATCH', `${path}/${id}`, body)

  test('keeps what it does not name, and its files while they are at the same place', async () => {
    await git.commit({ [file]: orders('hello') })
    const id = await link({ authors: false })
    await pull(id)
    const { status, body } = await change(id, { pull: 'publish', connection: 'forge' })
    expect([status, body]).toMatchObject([200, { pull: 'publish', connection: 'forge', branch: 'main', authors: false, files: 1 }])
    expect((await change(id, { connection: null })).body.connection).toBeNull()
    await git.commit({ [file]: orders('published') })
    expect(outcomes(await pull(id))).toEqual([[file, 'published']])
    const { data } = (await account.send('GET', '/api/v1/audit/query?event=git.updated')).body
    expect(data.at(-1)).toMatchObject({ target: id, changes: { connection: expect.anything(), pull: expect.anything() } })
  })

  test('of the branch links equal files again, and others are conflicts until a side is named', async () => {
    await git.commit({ [file]: orders('hello'), 'workflows/second.yaml': orders('second', 'second') })
    const id = await link()
    await pull(id)
    await git.commit({ [file]: orders('hello'), 'workflows/second.yaml': orders('other', 'second') }, 'release')
    expect((await change(id, { branch: 'release' })).body).toMatchObject({ branch: 'release', files: 0, commit: null, syncedAt: null })
    expect(outcomes(await pull(id))).toEqual([
      [file, 'unchanged'],
      ['workflows/second.yaml', 'conflict'],
    ])
  })

  test('is refused to a place that is linked already, with credentials in the address, to a branch that Git refuses, of another account, and during a pull', async () => {
    const id = await link()
    await link({ branch: 'develop' })
    expect((await change(id, { branch: 'develop' })).status).toBe(409)
    expect((await change(id, { url: 'https://ada:pass@example.com/x.git' })).body.errors[0].pointer).toBe('/url')
    expect((await change(id, { branch: 'release/.next' })).body.errors[0].pointer).toBe('/branch')
    const other = await server.registerAccount()
    expect((await other.send('PATCH', `${path}/${id}`, { pull: 'publish' })).status).toBe(404)
    const until = new Date(Date.now() + 60_000)
    await sql`update git_repositories set busy_until = ${until} where id = ${fromTypeId('repo', id)}`.execute(server.database.system)
    expect((await change(id, { pull: 'publish' })).body.detail).toContain('in progress')
  })
})

test('an account pulls and pushes two repositories at a time at most', async () => {
  await git.commit({ [file]: orders('hello') })
  for (const folder of ['one', 'two']) await link({ folder })
  const third = await link({ folder: 'three' })
  const busy = (until: Date | null, folders: readonly string[]) =>
    sql`update git_repositories set busy_until = ${until} where account_id = ${account.accountId} and folder = any(${folders})`.execute(
      server.database.system,
    )
  await busy(new Date(Date.now() + 60_000), ['one', 'two'])
  expect(await pull(third)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('which is the limit') } })
  await busy(null, ['one'])
  expect((await pull(third)).status).toBe(200)
})

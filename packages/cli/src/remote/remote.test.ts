import { readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliEnd, createFolder, type Folder, runCli, type RunningCli, startCli } from '#testing/cli.ts'
import { startProxy } from '#testing/proxy.ts'
import { startHttpService } from '#testing/http-service.ts'
import { createPostgres, type Postgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'

const password = 'a rather unusual phrase 4711'
const greeting = (text: string) =>
  `# why\ndocument: { dsl: '1.0.3', namespace: shop, name: greet, version: '1.0.0' }\ndo:\n  - greet: { set: { text: ${text} } }\n`
const failing = `document: { dsl: '1.0.3', namespace: shop, name: fail, version: '1.0.0' }\ndo:\n  - first: { set: { a: 1 } }\n  - stop: { raise: { error: { type: 'https://example.com/broken', status: 500, title: Broken } } }\n`
const waiting = `document: { dsl: '1.0.3', namespace: shop, name: pause, version: '1.0.0' }\ndo:\n  - pause: { wait: { hours: 1 } }\n`
const lacking = `document: { dsl: '1.0.3', namespace: shop, name: lack, version: '1.0.0' }\ndo:\n  - look: { set: { a: '\${ $variables.NO_SUCH }' } }\n`

let database: Postgres
let server: RunningCli
let folder: Folder
let url = ''
let token = ''
let signedIn: CliEnd
beforeAll(async () => {
  database = await createPostgres('migrated')
  folder = await createFolder({
    'greet.yaml': greeting('hello'),
    'fail.yaml': failing,
    'pause.yaml': waiting,
    'bad.yaml': 'do: 7\n',
    'lacks.yaml': lacking,
  })
  const limits = { MILLRACE_RATE_LIMIT_GLOBAL: '100000/60', MILLRACE_RATE_LIMIT_AUTH: '1000/60', MILLRACE_RATE_LIMIT_EXECUTION: '1000/60' }
  server = startCli(['start', '--port', '0', '--home', folder.file('home')], { env: { DATABASE_URL: database.url, ...limits } })
  ;[, url = ''] = await server.waitFor(/API +(http:\/\/127\.0\.0\.1:\d+)\n/)
  const registered: unknown = await (await post('/auth/register', { email: 'ada@example.com', password })).json()
  token = String(Object.getOwnPropertyDescriptor(registered, 'accessToken')?.value)
  const login = ['login', url, '--email', 'ada@example.com', '--password-stdin']
  signedIn = await millraceProcess(login, `${password}\n`)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

function post(path: string, body: unknown = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
  return fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Sends a request of the user; its response must be a success. */
async function send(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.anything()])
  return JSON.parse(text)
}

/** Runs a command with the logins of this test. */
function millrace(args: readonly string[], stdin = '', env: Readonly<Record<string, string>> = {}): Promise<CliEnd> {
  return runHere(args, { stdin, env: { HOME: folder.path, ...env } })
}

/** The same in a process of its own, once for each command. */
function millraceProcess(args: readonly string[], stdin = ''): Promise<CliEnd> {
  return runCli(args, { stdin, env: { HOME: folder.path } })
}

/** Deploys a file, starts the workflow and returns the execution's id. */
async function startFrom(file: string): Promise<string> {
  const { stdout } = await millrace(['deploy', '--json', folder.file(file)])
  const { id }: { readonly id: string } = JSON.parse(stdout)
  const started: { readonly id: string } = JSON.parse(await (await post(`/workflows/${id}/execute`)).text())
  return started.id
}

describe('millrace login', () => {
  test('stores a key that only the user can read, and no password', async () => {
    expect(signedIn).toMatchObject({ exitCode: 0, stderr: `Signed in to ${url} as ada@example.com.\n` })
    const file = folder.file('.config/millrace/logins.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      current: url,
      servers: { [url]: { email: 'ada@example.com', key: expect.stringMatching(/^mlr_/) } },
    })
    expect(text).not.toContain(password)
  })

  test('--forget forgets one server, and commands still use the one that was signed in to last', async () => {
    const home = { HOME: folder.file('forgetful') }
    const file = folder.file('forgetful/.config/millrace/logins.json')
    const read = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))
    await using between = await startProxy(url, async () => undefined)
    for (const at of [between.url, url])
      await millrace(['login', at, '--email', 'ada@example.com', '--password-stdin'], `${password}\n`, home)
    const forgotten = await millrace(['login', between.url, '--forget'], '', home)
    expect(forgotten).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Forgot the login for ${between.url}.`) })
    expect(await read()).toEqual({ current: url, servers: { [url]: expect.anything() } })
    expect((await millrace(['login', url, '--forget'], '', home)).exitCode).toBe(0)
    expect(await read()).toEqual({ servers: {} })
  })

  test('a wrong password, a missing login and a server that does not answer are explained', async () => {
    const wrong = await millrace(['login', url, '--email', 'ada@example.com', '--password-stdin'], 'no such phrase\n')
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('invalid_credentials') })
    const missing = await millrace(['users', '--url', 'http://127.0.0.1:1'])
    expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Run "millrace login http://127.0.0.1:1"') })
    const dead = await millrace(['users', '--url', 'http://127.0.0.1:1'], '', { MILLRACE_API_KEY: 'mlr_x' })
    await using other = await startHttpService(() => ({ body: { ok: true } }))
    for (const command of [['users'], ['executions'], ['logs', 'exec_01h455vb4pex5vsknk084sn02q'], ['deploy', folder.file('pause.yaml')]]) {
      const { exitCode, stderr } = await millrace([...command, '--url', other.url], '', { MILLRACE_API_KEY: 'mlr_x' })
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${other.url} answers with status 200, but is no Millrace server.`)])
    }
    expect(dead).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('http://127.0.0.1:1 does not answer') })
  })
})

test('millrace login --key-stdin takes a key for chosen workflows, with which commands reach those alone', async () => {
  await millrace(['deploy', folder.file('pause.yaml')])
  const { id } = await send('POST', '/workflows', { definition: greeting('Hello').replace('name: greet', 'name: chosen'), publish: true })
  const { secret } = await send('POST', '/api-keys', {
    name: 'chosen',
    scopes: ['workflows:read', 'executions:read', 'executions:run'],
    workflowIds: [id],
  })
  const own = { HOME: folder.file('limited') }
  const signed = await millrace(['login', url, '--key-stdin'], `${secret}\n`, own)
  expect(signed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('a key for chosen workflows') })
  await post(`/workflows/${id}/execute`)
  const listed = await millrace(['executions', '--json'], '', own)
  expect(listed.exitCode).toBe(0)
  expect(new Set(listed.stdout.match(/wf_[0-9a-z]{26}/g))).toEqual(new Set([id]))
  const refused = await millrace(['users'], '', own)
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('key_restricted') })
})

describe('millrace deploy', () => {
  test('a file makes a workflow, then versions of it, and nothing when it is unchanged', async () => {
    const file = folder.file('greet.yaml')
    const lines: string[] = []
    for (const text of ['hello', 'hello', 'goodbye']) {
      await writeFile(file, greeting(text))
      lines.push((await millrace(['deploy', file])).stdout.replace(/wf_\w+/, 'ID').replace(file, 'FILE'))
    }
    expect(lines).toEqual(['FILE: created ID, version 1\n', 'FILE: unchanged ID, version 1\n', 'FILE: changed ID, version 2\n'])
  })

  test('what the account lacks is printed, as the server says it', async () => {
    const { exitCode, stderr } = await millraceProcess(['deploy', folder.file('lacks.yaml')])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/lacks\.yaml:3:\d+: warning: [^]*"NO_SUCH"[^]*\(missing_variable\)[^]*hint: .*millrace variables NO_SUCH=VALUE/)
  })

  test('nothing is sent when one of the files has an error', async () => {
    const { exitCode, stdout, stderr } = await millrace(['deploy', folder.file('pause.yaml'), folder.file('bad.yaml')])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/bad\.yaml:1:\d+: error: [^]*Nothing was deployed: .*bad\.yaml: \d+ errors?\./)
  })
})

describe('a deployment', () => {
  const named = (name: string, text: string) => greeting(text).replace('name: greet', `name: ${name}`)
  const write = async (name: string, text: string, file = name) => {
    await writeFile(folder.file(file), named(name, text))
    return folder.file(file)
  }
  const deployed = async (...args: readonly string[]) => JSON.parse((await millrace(['deploy', '--json', ...args])).stdout)
  const saveDraft = async (id: string, text: string) => expect((await send('PUT', `/workflows/${id}/draft`, { text })).valid).toBe(true)

  test('of two files with one document name is refused before anything is sent, with both names', async () => {
    const [one, other] = [await write('twice', 'one', 'one.yaml'), await write('twice', 'other', 'other.yaml')]
    const { exitCode, stdout, stderr } = await millrace(['deploy', folder.file('pause.yaml'), one, other])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${other}: it has the document name shop/twice, as ${one} has.`)
    expect((await send('GET', '/workflows?document=shop%2Ftwice')).data).toEqual([])
  })

  test('does not erase an unpublished draft, and says who changed it, unless it is in the file or the option says so', async () => {
    const file = await write('kept', 'hello')
    const { id } = await deployed(file)
    await saveDraft(id, named('kept', 'draft'))
    await write('kept', 'mine')
    const refused = await millrace(['deploy', file])
    const { updatedAt, source, version } = await send('GET', `/workflows/${id}`)
    expect([refused.exitCode, refused.stdout, version, source]).toEqual([1, '', 1, named('kept', 'draft')])
    expect(refused.stderr).toMatch(
      /the draft of shop\/kept \(wf_\w+\) has unpublished changes that are not in the file; \S+ changed it last, at /,
    )
    expect(refused.stderr).toContain(`at ${updatedAt}.`)
    expect(refused.stderr).toContain('--replace-draft')
    expect(await deployed('--replace-draft', file)).toMatchObject({ action: 'changed', version: 2 })
    await saveDraft(id, named('kept', 'both'))
    await writeFile(file, `${named('kept', 'both')}# The same, but for this comment.\n`)
    expect(await deployed(file)).toMatchObject({ action: 'changed', version: 3 })
  })

  test('does not overwrite a change that is made after the workflow was read', async () => {
    const file = await write('raced', 'hello')
    const { id } = await deployed(file)
    await write('raced', 'mine')
    const logins: { servers: Record<string, { key: string }> } = JSON.parse(
      await readFile(folder.file('.config/millrace/logins.json'), 'utf8'),
    )
    await using between = await startProxy(url, async (method) => {
      if (method === 'PUT') await saveDraft(id, named('raced', 'theirs'))
    })
    const env = { MILLRACE_API_KEY: logins.servers[url]?.key ?? '' }
    const { exitCode, stderr } = await millrace(['deploy', '--url', between.url, file], '', env)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('revision_mismatch')])
    expect(await send('GET', `/workflows/${id}`)).toMatchObject({ version: 1, source: named('raced', 'theirs') })
  })

  test('keeps the note of the first version', async () => {
    const { id } = await deployed('--note', 'Begin', await write('noted', 'hello'))
    expect((await send('GET', `/workflows/${id}/versions`)).data).toMatchObject([{ number: 1, note: 'Begin' }])
  })

  test('with --dry-run says what it would do with each file, and changes nothing', async () => {
    const [same, other, drafted] = [await write('dry-same', 'a'), await write('dry-other', 'a'), await write('dry-drafted', 'a')]
    const ids: string[] = []
    for (const file of [same, other, drafted]) ids.push((await deployed(file)).id)
    await saveDraft(ids[2] ?? '', named('dry-drafted', 'draft'))
    await write('dry-other', 'b')
    const fresh = await write('dry-new', 'a')
    const present = async () => {
      const read: unknown[] = []
      for (const id of ids) read.push(await send('GET', `/workflows/${id}`))
      return read
    }
    const before = await present()
    const files = [same, other, drafted, fresh, folder.file('bad.yaml')]
    const { exitCode, stdout } = await millrace(['deploy', '--dry-run', ...files])
    expect(exitCode).toBe(1)
    expect(stdout.split('\n').map((row, index) => row.replace(`${files[index]}: `, ''))).toEqual([
      `would stay unchanged ${ids[0]}, version 1`,
      `would be changed ${ids[1]}, version 1`,
      expect.stringContaining('would be refused: the draft of shop/dry-drafted'),
      'would be created',
      expect.stringMatching(/^would be refused: \d+ errors?\.$/),
      '',
    ])
    expect(await present()).toEqual(before)
    expect((await send('GET', '/workflows?document=shop%2Fdry-new')).data).toEqual([])
  })
})

describe('millrace rollback', () => {
  const textOf = (text: string) =>
    `document: { dsl: '1.0.3', namespace: shop, name: back, version: '1.0.0' }\ndo:\n  - say: { set: { text: ${text} } }\n`
  const published = async (text: string) => (await send('POST', '/workflows', { definition: textOf(text), publish: true })).id

  test('publishes the text of an earlier version again, and says why where it cannot', async () => {
    const id = await published('one')
    expect(await millrace(['rollback', 'shop/back'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has no earlier one'),
    })
    for (const text of ['two', 'three']) await send('PUT', `/workflows/${id}`, { definition: textOf(text), publish: true })
    expect(await millrace(['rollback', 'shop/back'])).toMatchObject({
      exitCode: 0,
      stdout: 'shop/back: version 4 has the text of version 2\n',
    })
    expect((await send('GET', `/workflows/${id}?version=4`)).source).toBe(textOf('two'))
    const json = await millrace(['rollback', id, '--to', '1', '--json', '--note', 'Two is wrong'])
    expect(JSON.parse(json.stdout)).toEqual({ id, version: 5, from: 4, to: 1 })
    expect((await send('GET', `/workflows/${id}/versions`)).data.slice(0, 2)).toMatchObject([
      { number: 5, note: 'Two is wrong' },
      { number: 4, note: 'Back to version 2' },
    ])
    expect(await millrace(['rollback', id, '--to', '5'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('from 1 to 4') })
    expect(await millrace(['rollback', 'shop/nothing'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no workflow shop/nothing'),
    })

    await send('PUT', `/workflows/${id}`, { definition: textOf('draft'), publish: false })
    expect(await millrace(['rollback', id])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('ada@example.com changed it last'),
    })
    expect((await send('GET', `/workflows/${id}`)).source).toBe(textOf('draft'))
    expect(await millrace(['rollback', id, '--replace-draft'])).toMatchObject({ exitCode: 0 })
  })
})

describe('millrace starts', () => {
  const file = 'order.starts.yaml'
  const starts = (night: string, others = '') => `workflow: shop/night
starts:
  - { name: Night, kind: schedule, schedule: { cron: ${night}, timeZone: Europe/Berlin } }
  - name: Quarter
    kind: schedule
    enabled: false
    schedule: { every: PT15M }
  - name: Orders
    kind: webhook
    filter: .body.total > 0
    webhook: { signature: { scheme: github, secretFrom: github }, ratePerMinute: 60 }
${others}`
  const apply = async (text: string, ...options: readonly string[]) => {
    await writeFile(folder.file(file), text)
    const end = await millrace(['starts', 'apply', folder.file(file), '--json', ...options])
    const applied = end.stdout.split('\n').filter((line) => line !== '')
    return { ...end, actions: applied.map((line) => ['name', 'action'].map((member) => JSON.parse(line)[member])) }
  }
  let id = ''
  beforeAll(async () => {
    const definition = greeting('hello').replace('name: greet', 'name: night')
    id = (await send('POST', '/workflows', { definition, publish: true })).id
    await send('POST', '/triggers/schedule', { workflowId: id, name: 'By hand', schedule: { cron: '0 3 * * *' } })
  })
  const named = async (name: string) => {
    const { data } = await send('GET', `/triggers/workflow/${id}`)
    return data.find((one: { readonly name: string }) => one.name === name)
  }

  test('apply makes and changes what differs, leaves the rest and what is not in the file, and its own listing is such a file', async () => {
    const secret = ['--secret', 'github=a secret of eight']
    expect(await apply(starts('0 2 * * *'), ...secret, '--dry-run')).toMatchObject({ exitCode: 0, stderr: '', actions: { length: 3 } })
    expect(await named('Night')).toBeUndefined()
    expect((await apply(starts('0 2 * * *'), ...secret)).actions.map(([, action]) => action)).toEqual(['created', 'created', 'created'])
    const night = await named('Night')
    expect(night).toMatchObject({ enabled: true, schedule: { cron: '0 2 * * *', timeZone: 'Europe/Berlin' } })
    expect(await named('Quarter')).toMatchObject({ enabled: false, schedule: { every: 'PT900S' } })
    // A start that a person has disabled stays so unless the file says otherwise.
    await send('PATCH', `/triggers/${night.id}/toggle`, { enabled: false })
    expect((await apply(starts('0 3 * * *'))).actions).toEqual([
      ['Night', 'changed'],
      ['Quarter', 'unchanged'],
      ['Orders', 'unchanged'],
    ])
    expect(await named('Night')).toMatchObject({ id: night.id, enabled: false, schedule: { cron: '0 3 * * *' } })
    const { stdout } = await millrace(['starts', id, '--yaml'])
    expect(stdout).toMatch(/^workflow: shop\/night\n/)
    expect(stdout).not.toMatch(/secret|toleranceSeconds|missed|\/hooks\//)
    expect((await apply(stdout)).actions.map(([, action]) => action)).toEqual(Array.from({ length: 4 }, () => 'unchanged'))
    expect((await apply(starts('0 3 * * *'), '--prune')).actions.at(-1)).toEqual(['By hand', 'deleted'])
    expect(await named('By hand')).toBeUndefined()
  })

  test('a file with a mistake changes nothing, and the message names its line', async () => {
    const before = await send('GET', `/triggers/workflow/${id}`)
    const faults: readonly (readonly [string, RegExp])[] = [
      [starts('0 4 * * *', '  - { name: Night, kind: manual }\n'), /:12: \/starts\/3\/name: "Night" is also the name of start 1/],
      [starts('0 4 * * *', '  - name: Late\n    kind: schedule\n    schedule: { cronn: x }\n'), /:14: \/starts\/3\/schedule: .*cronn/],
      [starts('0 4 * * *').replace('secretFrom: github', 'secret: a-long-secret'), /:11: .*A file has no secrets/],
      [
        starts('0 4 * * *', '  - { name: New, kind: webhook, webhook: { signature: { secretFrom: other } } }\n'),
        /"New" needs the secret other/,
      ],
      [starts('0 4 * * *', '  - { name: Orders 2, kind: webhook }\nmore: 1\n'), /:13: `more` is no member/],
      [
        starts('0 4 * * *', '  - { name: Late, kind: schedule, webhook: {} }\n'),
        /:12: \/starts\/3\/schedule: Is required[^]*:12: \/starts\/3\/webhook: Does not belong/,
      ],
      ['workflow: shop/none\nstarts: []\n', /no workflow shop\/none/],
      ['workflow: [', /order\.starts\.yaml:\d: /],
    ]
    for (const [text, message] of faults) expect(await apply(text)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(message) })
    expect(await send('GET', `/triggers/workflow/${id}`)).toEqual(before)
  })
})

test('millrace diff compares one file with the published workflow, not with its draft', async () => {
  const file = folder.file('compared.yaml')
  const text = greeting('hello').replace('name: greet', 'name: compared')
  await writeFile(file, text)
  expect(await millrace(['diff', file])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('no published workflow shop/compared'),
  })
  const { id } = JSON.parse((await millrace(['deploy', '--json', file])).stdout)
  await send('PUT', `/workflows/${id}/draft`, { text: text.replace('hello', 'draft') })
  expect(await millrace(['diff', file])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  await writeFile(file, text.replace('hello', 'goodbye'))
  expect(await millrace(['diff', file])).toEqual({ exitCode: 1, stdout: '~ greet: set\n', stderr: '' })
})

describe('executions of a server', () => {
  test('a failed execution is found by its state, and its log names the task and the error', async () => {
    const id = await startFrom('fail.yaml')
    const log = await millraceProcess(['logs', '-f', id])
    expect(log.exitCode).toBe(1)
    expect(log.stdout).toMatch(new RegExp(`completed +first [^]*faulted +stop [^]*500 Broken[^]*\\n${id} faulted after`))
    const found = await millraceProcess(['executions', '--state', 'faulted'])
    expect(found.stdout).toMatch(new RegExp(`^${id}  faulted  .* fail: Broken$`, 'm'))
    expect(JSON.parse((await millrace(['executions', '--json', '--search', id])).stdout)).toMatchObject({ id, state: 'faulted' })
    expect(JSON.parse((await millrace(['logs', '--json', id])).stdout)).toMatchObject({
      id,
      timeline: [{ name: 'first' }, { name: 'stop' }],
    })
  })

  test('an execution is cancelled once', async () => {
    const id = await startFrom('pause.yaml')
    expect((await millraceProcess(['cancel', id])).stdout).toBe(`${id} cancelled\n`)
    expect(await millrace(['cancel', id])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('execution_ended') })
  })

  test('a filter that does not exist is named', async () => {
    expect(await millrace(['executions', '--state', 'broken'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('faulted') })
    expect(await millrace(['executions', '--from', 'soon'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--from soon') })
  })
})

test('millrace variables sets, changes, lists and deletes variables, and shows no secret', async () => {
  expect((await millrace(['variables', 'REGION=eu', 'LIMIT=100'])).stdout).toBe('REGION  text    all  "eu"\nLIMIT   number  all  100\n')
  const secret = await millraceProcess(['variables', '--secret', 'TOKEN', 'REGION=us'], 'a value of standard input\n')
  expect(secret).toMatchObject({ exitCode: 0, stdout: 'REGION  text    all  "us"\nTOKEN   secret  all  (hidden)\n' })
  expect((await millrace(['variables', '--delete', 'LIMIT'])).stderr).toBe('LIMIT: deleted\n')
  const { stdout } = await millrace(['variables', '--json'])
  expect(
    new Set(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ),
  ).toEqual(new Set(['REGION', 'TOKEN']))
  expect(stdout).not.toContain('standard input')
})

test('millrace variables refuses what is not a pair, a number that would be rounded, and a plain value for a secret', async () => {
  expect(await millrace(['variables', 'REGION'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not NAME=VALUE') })
  for (const number of ['12345678901234567890', '1e400'])
    expect(await millrace(['variables', `ACCOUNT=${number}`])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('kept exactly'),
    })
  await millrace(['variables', '--secret', 'KEPT'], 'a value of standard input\n')
  expect(await millrace(['variables', 'KEPT=x'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('KEPT is a secret') })
})

test('the users of the account are listed', async () => {
  expect((await millraceProcess(['users'])).stdout).toMatch(/^usr_\w+ {2}ada@example\.com {2}owner {2}-\n$/)
})

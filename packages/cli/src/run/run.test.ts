import { describe, expect, test } from 'vitest'
import { createFolder, runCli, startCli } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'
import { startHttpService } from '#testing/http-service.ts'
import { runHere } from '#testing/run-here.ts'

const greet = definition('- greet:\n    set: { message: \'${ "Hello, " + .name }\' }')

describe('the output', () => {
  test('the output is alone on standard output, everything else is on standard error', async () => {
    await using folder = await createFolder({ 'greet.yaml': greet })
    const { exitCode, stdout, stderr } = await runCli(['run', folder.file('greet.yaml'), '--input', '{"name":"Ada"}'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ message: 'Hello, Ada' })
    expect(stderr).toMatch(/^test 1\.0\.0 .*greet\.yaml\n/)
    expect(stderr).toMatch(/✓ greet +set( +\d+ ms)?\n/)
    expect(stderr).toMatch(/✓ completed in [\d.]+ m?s/)
  })

  test('a definition in JSON with the input on standard input has the same output', async () => {
    const text = JSON.stringify({
      document: { dsl: '1.0.3', namespace: 'test', name: 'j', version: '1.0.0' },
      do: [{ double: { set: { twice: '${ .n * 2 }' } } }],
    })
    await using folder = await createFolder({ 'double.json': text })
    const { stdout } = await runHere(['run', folder.file('double.json'), '-i', '-', '--quiet'], { stdin: '{"n":21}' })
    expect(JSON.parse(stdout)).toEqual({ twice: 42 })
  })

  test('the output is alone with --quiet, on one line with --json, and without quotes with --raw', async () => {
    await using folder = await createFolder({ 'greet.yaml': `${greet}output: { as: '\${ .message }' }\n` })
    const file = folder.file('greet.yaml')
    const quiet = await runHere(['run', file, '-q', '-i', 'name=Ada'])
    const raw = await runHere(['run', file, '-q', '-r', '-i', 'name=Ada'])
    expect(quiet).toEqual({ exitCode: 0, stdout: '"Hello, Ada"\n', stderr: '' })
    expect(raw).toEqual({ exitCode: 0, stdout: 'Hello, Ada\n', stderr: '' })
  })

  test('a definition can be run from standard input', async () => {
    expect((await runHere(['run', '-', '-q', '-i', 'name=Ada'], { stdin: greet })).stdout).toContain('Hello, Ada')
  })
})

describe('variables', () => {
  const region = definition("- look:\n    set: { region: '${ $variables.region }', max: '${ $variables.max }' }")

  test('are given as JSON or text, and a missing one is named', async () => {
    await using folder = await createFolder({ 'region.yaml': region })
    const file = folder.file('region.yaml')
    const given = await runHere(['run', file, '-q', '--variable', 'region=eu', '--variable', 'max=5'])
    expect(JSON.parse(given.stdout)).toEqual({ region: 'eu', max: 5 })
    const missing = await runHere(['run', file, '-q', '--variable', 'region=eu'])
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('--variable max=VALUE')])
  })
})

describe('tasks are shown', () => {
  const tasks = `
- each:
    for: { each: n, in: '\${ .numbers }' }
    do:
      - odd:
          if: '\${ $n % 2 == 1 }'
          set: { last: '\${ $n }' }
- side:
    fork:
      branches:
        - left:
            do:
              - rest:
                  wait: { milliseconds: 10 }
        - right:
            set: { done: true }
`

  test('tasks are indented by nesting and show iteration, branch and skipped tasks', async () => {
    await using folder = await createFolder({ 'tasks.yaml': definition(tasks) })
    const { exitCode, stderr } = await runHere(['run', folder.file('tasks.yaml'), '-i', 'numbers=[1,2,3]'])
    expect(exitCode).toBe(0)
    const lines = stderr.split('\n').map((line) => line.replace(/ {2,}\S.*$/, (rest) => (/^ {2,}(▸|✓|○)/.test(rest) ? rest : '')).trimEnd())
    expect(stderr).toMatch(/^▸ each +for each n$/m)
    expect(stderr).toMatch(/^ {2}✓ odd #1 +set\b/m)
    expect(stderr).toMatch(/^ {2}○ odd #2 +skipped$/m)
    expect(stderr).toMatch(/^ {2}✓ odd #3 +set\b/m)
    expect(stderr).toMatch(/^✓ each/m)
    expect(stderr).toMatch(/^▸ side +fork 2 branches$/m)
    expect(stderr).toMatch(/^ {4}▸ left › rest +wait 10 milliseconds$/m)
    expect(stderr).toMatch(/^ {4}✓ left › rest +wait 10 milliseconds +[\d.]+ m?s$/m)
    expect(lines.length).toBeGreaterThan(10)
  })

  test.each(['hunter2hunter2', 'hush5'])('with their input and output when asked, the secret %s masked', async (token) => {
    const text = definition('- use:\n    set: { header: \'${ "Bearer " + $secrets.token }\' }', { extra: 'use: { secrets: [token] }\n' })
    await using folder = await createFolder({ 'secret.yaml': text })
    const { stdout, stderr } = await runHere(['run', folder.file('secret.yaml'), '--verbose', '--secret', `token=${token}`, '-i', 'a=1'])
    expect(stderr).toContain('in  {"a":1}')
    expect(stderr).toContain('out {"header":"Bearer ***"}')
    expect(stderr).not.toContain(token)
    expect(JSON.parse(stdout)).toEqual({ header: 'Bearer ***' })
  })

  test('--json prints tasks as events', async () => {
    await using folder = await createFolder({ 'tasks.yaml': definition(tasks) })
    const { stdout, stderr } = await runHere(['run', folder.file('tasks.yaml'), '--json', '-i', 'numbers=[1,2]'])
    const events = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'task.completed',
        name: 'odd',
        kind: 'set',
        iteration: 0,
        depth: 1,
        reference: '/do/0/each/do/0/odd',
        output: { last: 1 },
      }),
    )
    expect(events).toContainEqual(expect.objectContaining({ event: 'task.skipped', name: 'odd', iteration: 1 }))
    expect(events).toContainEqual(expect.objectContaining({ event: 'task.started', name: 'rest', branches: ['left'], depth: 2 }))
    expect(events.at(-1)).toMatchObject({ event: 'run.completed' })
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })
})

describe('a call', () => {
  const call = (endpoint: string, more = ''): string => `
- order:
    try:
      - send:
          call: http
          with: { method: post, endpoint: '${endpoint}', body: { id: '\${ .id }' }${more} }
    catch:
      errors: { with: { status: 503 } }
      retry: { delay: { milliseconds: 5 }, limit: { attempt: { count: 3 } } }
`

  test('a run reaches services of this machine, and each attempt of a retry is numbered and has its own key', async () => {
    await using service = await startHttpService((_, count) => (count < 3 ? { status: 503 } : { body: { accepted: true } }))
    await using folder = await createFolder({ 'order.yaml': definition(call(`${service.url}/orders`)) })
    const { exitCode, stdout, stderr } = await runHere(['run', folder.file('order.yaml'), '-i', 'id=7'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ accepted: true })
    expect(service.seen).toHaveLength(3)
    expect(service.seen[0]).toMatchObject({ method: 'POST', path: '/orders', body: '{"id":7}' })
    expect(new Set(service.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
    expect(stderr).toMatch(/✗ send +Service Unavailable \(503\) +[\d.]+ m?s\n {6}POST/)
    expect(stderr).toMatch(/✗ send attempt 2 /)
    expect(stderr).toMatch(/✓ send attempt 3 +call http POST/)
  })

  test('--deny-private-network refuses a call to a private address before it is sent', async () => {
    await using service = await startHttpService(() => ({}))
    await using folder = await createFolder({ 'order.yaml': definition(call(service.url)) })
    const { exitCode, stderr } = await runHere(['run', folder.file('order.yaml'), '--deny-private-network'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('at an address that workflows may reach')
    expect(service.seen).toHaveLength(0)
  })

  test('Ctrl-C cancels a run during a call, with exit code 130', async () => {
    await using service = await startHttpService(() => undefined)
    await using folder = await createFolder({ 'order.yaml': definition(call(service.url)) })
    await using cli = startCli(['run', folder.file('order.yaml')])
    await cli.waitFor(/▸ send/)
    cli.kill('SIGINT')
    const { exitCode, stdout, stderr } = await cli.end
    expect(exitCode).toBe(130)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/■ cancelled after/)
  })
})

describe('a fault', () => {
  const tasks = `
- prepare:
    set: { ok: true }
- check:
    do:
      - refuse:
          raise:
            error: { type: 'https://example.com/errors/stock', status: 409, title: Out of stock, detail: 'only 2 left' }
`

  test('a fault ends with 1, nothing on standard output, and the error with its task and position', async () => {
    await using folder = await createFolder({ 'stock.yaml': definition(tasks) })
    const { exitCode, stdout, stderr } = await runCli(['run', 'stock.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/✗ faulted after [\d.]+ m?s: Out of stock \(409\)/)
    expect(stderr).toMatch(/detail +only 2 left/)
    expect(stderr).toMatch(/type +https:\/\/example\.com\/errors\/stock/)
    expect(stderr).toMatch(/instance +\/do\/1\/check\/do\/0\/refuse/)
    expect(stderr).toMatch(/at +stock\.yaml:7:11, task "refuse"/)
    expect(stderr).toContain('7 |         - refuse:\n    |           ^^^^^^')
  })

  test('a fault is printed with --quiet, too', async () => {
    await using folder = await createFolder({ 'stock.yaml': definition(tasks) })
    const { exitCode, stderr } = await runCli(['run', 'stock.yaml', '--quiet'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^✗ faulted/)
  })

  test('a fault is the last event of --json', async () => {
    await using folder = await createFolder({ 'stock.yaml': definition(tasks) })
    const { stderr } = await runCli(['run', 'stock.yaml', '--json'], { cwd: folder.path })
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'run.faulted',
      error: {
        type: 'https://example.com/errors/stock',
        status: 409,
        title: 'Out of stock',
        detail: 'only 2 left',
        instance: '/do/1/check/do/0/refuse',
      },
      place: { file: 'stock.yaml', line: 7, column: 11, task: 'refuse' },
    })
  })

  test('an input that does not fit its schema is reported at the schema', async () => {
    const text = definition('- a: { set: { b: 1 } }', { extra: 'input: { schema: { document: { type: object, required: [id] } } }\n' })
    await using folder = await createFolder({ 'in.yaml': text })
    const { exitCode, stderr } = await runCli(['run', 'in.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/at +in\.yaml:2:1.*\n {2}hint +The input is given with --input;/)
  })
})

describe('a run is refused before it starts:', () => {
  test('a definition with errors, with their positions', async () => {
    await using folder = await createFolder({ 'bad.yaml': definition('- a: { sett: {} }') })
    const { exitCode, stdout, stderr } = await runCli(['run', 'bad.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^bad\.yaml:3:\d+: error: /)
  })

  test('a secret that was not given', async () => {
    const text = definition("- a: { set: { k: '${ $secrets.token }' } }", { extra: 'use: { secrets: [token, other] }\n' })
    await using folder = await createFolder({ 'secret.yaml': text })
    const { exitCode, stderr } = await runCli(['run', 'secret.yaml', '-s', 'other=x'], { cwd: folder.path })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('error: secret.yaml uses the secret token, which was not given.')
    expect(stderr).toContain('--secret token=VALUE')
  })

  test('a file that is not there', async () => {
    const { exitCode, stderr } = await runHere(['run', '/nowhere/flow.yaml'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: \/nowhere\/flow\.yaml: there is no such file/)
  })
})

describe('a workflow that runs others', () => {
  const child = (version: string): string =>
    definition(`- answer:\n    set: { from: '${version}', got: '\${ .n }' }`, { name: 'child', version })
  const parent = (version: string): string =>
    definition(`- ask:\n    run: { workflow: { namespace: test, name: child, version: '${version}', input: { n: '\${ .n }' } } }`, {
      name: 'parent',
    })

  test('children are found in the folder of the workflow, other files are skipped', async () => {
    await using folder = await createFolder({
      'parent.yaml': parent('1.0.0'),
      'child.yaml': child('1.0.0'),
      'broken.yaml': 'child: [',
      'data.json': '{"child":1}',
    })
    const { exitCode, stdout } = await runHere(['run', folder.file('parent.yaml'), '-q', '-i', 'n=5'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ from: '1.0.0', got: 5 })
  })

  test('latest is the highest version, and files of --with precede those of the folder', async () => {
    await using folder = await createFolder({ 'parent.yaml': parent('latest'), 'c2.yaml': child('1.2.0'), 'c10.yaml': child('1.10.0') })
    await using elsewhere = await createFolder({ 'mine.yaml': child('0.1.0') })
    const latest = await runHere(['run', folder.file('parent.yaml'), '-q', '-i', 'n=5'])
    const given = await runHere(['run', folder.file('parent.yaml'), '-q', '-i', 'n=5', '--with', elsewhere.file('mine.yaml')])
    expect(JSON.parse(latest.stdout)).toMatchObject({ from: '1.10.0' })
    expect(JSON.parse(given.stdout)).toMatchObject({ from: '0.1.0' })
  })

  test('a missing child is refused with the position of the task and the existing workflows', async () => {
    await using folder = await createFolder({ 'parent.yaml': parent('2.0.0'), 'child.yaml': child('1.0.0') })
    const { exitCode, stderr } = await runCli(['run', 'parent.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/error: parent\.yaml:3:5: the workflow test\/child:2\.0\.0 that this task runs was not found\./)
    expect(stderr).toContain('There is test/child:1.0.0 in child.yaml.')
  })

  test('a fault of a child is printed with its file, its name and its position', async () => {
    const failing = definition(
      '- prepare: { set: { a: 1 } }\n- fail:\n    raise: { error: { type: "https://example.com/e", status: 400, title: Bad } }',
      { name: 'child' },
    )
    await using folder = await createFolder({ 'parent.yaml': parent('1.0.0'), 'failing.yaml': failing })
    const { exitCode, stderr } = await runCli(['run', 'parent.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/workflow +test\/child:1\.0\.0/)
    expect(stderr).toMatch(/at +failing\.yaml:4:5, task "fail"/)
  })

  test('a child that is not awaited ends before the process', async () => {
    await using service = await startHttpService(() => ({}))
    const background = definition(
      `- rest:\n    wait: { milliseconds: 50 }\n- report:\n    call: http\n    with: { method: get, endpoint: '${service.url}/reported' }`,
      { name: 'child' },
    )
    const root = definition(
      '- begin:\n    run: { await: false, workflow: { namespace: test, name: child, version: 1.0.0 } }\n- end: { set: { done: true } }',
    )
    await using folder = await createFolder({ 'root.yaml': root, 'child.yaml': background })
    const { exitCode, stdout } = await runCli(['run', folder.file('root.yaml'), '-q'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ done: true })
    expect(service.seen.map(({ path }) => path)).toEqual(['/reported'])
  })
})

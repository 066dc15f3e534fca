import { describe, expect, test } from 'vitest'
import { type CliOptions, createFolder, runCli, startCli } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'
import { startHttpService } from '#testing/http-service.ts'
import { runHere } from '#testing/run-here.ts'

const hear = definition('- hear:\n    listen: { to: { one: { with: { type: paid } } } }')
const ask = definition('- ask:\n    call: approve\n    with: { title: Pay it, approvers: [ada@example.com] }')
const paid = '{"type":"paid","data":7}'

test('events are given on the command line and, one a line, on standard input, where an invalid line is refused', async () => {
  await using folder = await createFolder({ 'hear.yaml': hear })
  const file = folder.file('hear.yaml')
  expect((await runHere(['run', file, '-q', '--event', paid])).stdout).toBe('[\n  7\n]\n')
  const { exitCode, stdout, stderr } = await runHere(['run', file, '-q', '--events', '-'], { stdin: `nothing\n${paid}\n` })
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual([7])
  expect(stderr).toContain('refused: standard input:1: not JSON')
})

test('an invalid event is refused before the run starts', async () => {
  await using folder = await createFolder({ 'hear.yaml': hear })
  const { exitCode, stderr } = await runHere(['run', folder.file('hear.yaml'), '--event', '{"data":1}'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('the attribute "type" of the event is required')
})

test.each([
  [[], 'cancelled after .*\\n {2}hear \\S+ waits for event paid'],
  [['--quiet'], 'cancelled after .*\\n {2}hear \\S+ waits for event paid'],
  [['--json'], '"event":"run.cancelled".*"waits":\\[\\{"position":"/do/0/hear","name":"hear","topic":"events"'],
])('Ctrl-C ends a run that listens with 130 and with what it waited for: %j', async (options, said) => {
  await using folder = await createFolder({ 'hear.yaml': hear })
  // Open input keeps the run alive. With --quiet nothing shows that it listens, so a refused line is sent first.
  await using cli = startCli(['run', folder.file('hear.yaml'), '--events', '-', ...options], { stdin: 'nothing\n', keepStdin: true })
  await cli.waitFor(/not JSON/)
  cli.kill('SIGINT')
  const { exitCode, stdout, stderr } = await cli.end
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
  expect(stderr).toMatch(new RegExp(said))
})

test.each([
  ['an event that is never sent', hear, 'hear'],
  ['an approval without an approver', ask, 'ask'],
])('a run that waits for %s ends, and says what it waits for', async (_what, text, name) => {
  await using folder = await createFolder({ 'waits.yaml': text })
  const { exitCode, stdout, stderr } = await runCli(['run', folder.file('waits.yaml')])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`cannot continue[^]*${name}`))
})

describe('an approval', () => {
  const run = async (args: readonly string[], options: CliOptions = {}, text = ask) => {
    await using folder = await createFolder({ 'ask.yaml': text })
    return await runCli(['run', folder.file('ask.yaml'), '-q', ...args], options)
  }

  test('--answer names the task of an approval and no other task', async () => {
    const [approved, unknown] = await Promise.all([run(['--answer', 'ask=approve']), run(['--answer', 'aks=approve'])])
    expect(JSON.parse(approved.stdout)).toMatchObject({ approved: true, outcome: 'approved', answers: [{ by: 'ada@example.com' }] })
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain('Tasks that wait for an answer: ask.')
  })

  test.each([
    ['ask=aprove', 'expected "approve", "reject", "expire"'],
    ['ask={"decision":"reject","why":"no"}', 'or an object with such a decision'],
    ['ask', 'expected NAME=ANSWER'],
  ])('a run with the invalid answer %s does not start', async (answer, message) => {
    const { exitCode, stdout, stderr } = await run(['--answer', answer])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('an approval with an incomplete answer stays open and is reported', async () => {
    const { exitCode, stderr } = await run(['--answer', 'ask=reject'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/refused: the answer to ask: a reason is required to reject\n✗ cannot continue/)
  })

  test.each([
    ['nothing', {}],
    ['nothing yet', { keepStdin: true }],
    ['an answer without --answer -', { stdin: 'approve\n' }],
  ])('an approval without a prompt ends the run with a hint how to answer, with %s on standard input', async (_what, options) => {
    const { exitCode, stdout, stderr } = await run([], options)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('waits for approval "Pay it" by ada@example.com')
    expect(stderr).toMatch(/hint: .*--answer ask=approve.*--answer -.*on a terminal/)
  })

  const two = definition(`
- first: { call: approve, with: { title: First, approvers: [a@b.example] }, output: { as: '\${ { first: .outcome } }' } }
- second: { call: approve, with: { title: Second, approvers: [a@b.example] }, output: { as: '\${ { first: $input.first, second: .outcome } }' } }
`)

  test('an approval reads its answer from standard input with --answer -, in order, and skips invalid lines', async () => {
    const stdin = 'maybe\nreject\n\n{"decision":"reject","reason":"too dear"}\r\napprove'
    const { exitCode, stdout, stderr } = await run(['--answer', '-'], { stdin }, two)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ first: 'rejected', second: 'approved' })
    expect(stderr).toMatch(/the answer to first: maybe: expected "approve"[^]*the answer to first: a reason is required to reject\n$/)
  })

  test('a run ends when standard input has too few answers', async () => {
    const { exitCode, stderr } = await run(['-a', '-'], { stdin: 'approve\n' }, two)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/cannot continue[^]*second \/do\/1\/second waits for approval "Second"/)
  })

  test('an approval continues as soon as a line is read, while the input stays open', async () => {
    await using folder = await createFolder({ 'two.yaml': two })
    await using cli = startCli(['run', folder.file('two.yaml'), '-a', 'second=expire', '-a', '-'], { keepStdin: true })
    await cli.waitFor(/… first/)
    cli.write('approve\n')
    expect(JSON.parse((await cli.end).stdout)).toEqual({ first: 'approved', second: 'expired' })
  })

  test('Ctrl-C ends an approval that waits for a line', async () => {
    await using folder = await createFolder({ 'ask.yaml': ask })
    await using cli = startCli(['run', folder.file('ask.yaml'), '-a', '-'], { keepStdin: true })
    await cli.waitFor(/… ask +waits for approval "Pay it"/)
    cli.kill('SIGINT')
    const { exitCode, stderr } = await cli.end
    expect(exitCode).toBe(130)
    expect(stderr).toMatch(/cancelled after .*\n {2}ask \/do\/0\/ask waits for approval "Pay it"/)
  })

  test('an answer goes to the execution that asked, also if several ask at the same position', async () => {
    const child = definition(
      `- pause: { wait: '\${ { milliseconds: .ms } }' }\n- ask: { call: approve, with: { title: '\${ $workflow.input.title }', approvers: [a@b.example] } }`,
      { name: 'child' },
    )
    const branch = (title: string, ms: number): string =>
      `{ ${title}: { run: { workflow: { namespace: test, name: child, version: latest, input: { title: ${title}, ms: ${ms} } } } } }`
    const parent = definition(
      `- both:\n    fork: { branches: [${branch('slow', 300)}, ${branch('quick', 1)}] }\n    output: { as: 'map(.outcome)' }`,
    )
    await using folder = await createFolder({ 'parent.yaml': parent, 'child.yaml': child })
    const { stdout } = await runCli(['run', folder.file('parent.yaml'), '-q', '-a', '-'], {
      stdin: 'approve\n{"decision":"reject","reason":"No"}\n',
    })
    expect(JSON.parse(stdout)).toEqual(['rejected', 'approved'])
  })

  test('an approval of an extension is answered by its name, too', async () => {
    const text = definition('- pay: { set: { paid: true } }', {
      extra: `use:\n  extensions:\n    - gate:\n        extend: set\n        before:\n          - askFirst: { call: approve, with: { title: Continue, approvers: [a@b.example] } }\n`,
    })
    expect(JSON.parse((await run(['--answer', 'askFirst=approve'], {}, text)).stdout)).toEqual({ paid: true })
  })

  test('an approval without a prompt expires at its deadline while the run is in progress', async () => {
    const late = definition(`
- both:
    fork:
      branches:
        - ask: { call: approve, with: { title: Pay it, approvers: [ada@example.com], deadline: PT1S } }
        - rest: { wait: { milliseconds: 1500 } }
    output: { as: '\${ .[0].outcome }' }
`)
    expect((await run(['--raw'], {}, late)).stdout).toBe('expired\n')
  })
})

test.each([
  [['--events', '-', '--answer', '-'], '"-" was given for --events and for --answer'],
  [['--input', '-', '--answer', '-'], '"-" was given for --input and for --answer'],
  [['--secrets-file', '-', '--events', '-'], '"-" was given for --secrets-file and for --events'],
])('standard input is read for one thing only: %j', async (options, message) => {
  await using folder = await createFolder({ 'ask.yaml': ask })
  const { exitCode, stderr } = await runCli(['run', folder.file('ask.yaml'), ...options], { stdin: 'approve\n' })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})

test.each([
  ['email', '{ to: ada@example.com, subject: Hi, text: Hi }', 'sends no mail'],
  ['model', '{ prompt: Hi }', 'asks no language model'],
  ['slack.postMessage', '{ connection: a, channel: b, text: Hi }', 'has no connections, so it cannot call "slack.postMessage"'],
])('%s needs a server, and the error says that', async (name, args, message) => {
  await using folder = await createFolder({ 'call.yaml': definition(`- ask: { call: ${name}, with: ${args} }`) })
  const { exitCode, stderr } = await runHere(['run', folder.file('call.yaml')])
  expect(exitCode).toBe(1)
  expect(stderr).toContain(message)
})

test('functions of connectors that need no connection run here', async () => {
  const rows = '- rows: { call: csv.parse, with: { text: "a,b\\n1,2" } }'
  await using folder = await createFolder({ 'rows.yaml': definition(rows) })
  expect(JSON.parse((await runHere(['run', folder.file('rows.yaml'), '-q'])).stdout)).toEqual({ rows: [{ a: '1', b: '2' }] })
})

test('a function by URL is fetched before the run, and a failure names its position', async () => {
  await using service = await startHttpService(({ path }) =>
    path === '/f' ? { body: { set: { twice: '${ .n * 2 }' } } } : { status: 404 },
  )
  const calling = (path: string) => definition(`- twice:\n    call: ${service.url}/${path}\n    with: { n: 21 }`)
  await using folder = await createFolder({ 'good.yaml': calling('f'), 'bad.yaml': calling('g') })
  expect(JSON.parse((await runHere(['run', folder.file('good.yaml'), '-q'])).stdout)).toEqual({ twice: 42 })
  const { exitCode, stderr } = await runCli(['run', 'bad.yaml'], { cwd: folder.path })
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/error: bad\.yaml:4:\d+: http:.*\/g could not be fetched/)
})

import { expect, test } from 'vitest'
import { createFolder, runCli, startCli } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'
import { startHttpService } from '#testing/http-service.ts'

const hear = definition('- hear:\n    listen: { to: { one: { with: { type: paid } } } }')
const ask = definition('- ask:\n    call: approve\n    with: { title: Pay it, approvers: [ada@example.com] }')
const paid = '{"type":"paid","data":7}'

test('events are given on the command line and, one a line, on standard input, where a line that is none is refused', async () => {
  await using folder = await createFolder({ 'hear.yaml': hear })
  const file = folder.file('hear.yaml')
  expect((await runCli(['run', file, '-q', '--event', paid])).stdout).toBe('[\n  7\n]\n')
  const { exitCode, stdout, stderr } = await runCli(['run', file, '-q', '--events', '-'], { stdin: `nothing\n${paid}\n` })
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual([7])
  expect(stderr).toContain('refused: standard input:1: not JSON')
})

test('what is no event is refused before anything runs', async () => {
  await using folder = await createFolder({ 'hear.yaml': hear })
  const { exitCode, stderr } = await runCli(['run', folder.file('hear.yaml'), '--event', '{"data":1}'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('the attribute "type" of the event is required')
})

test('Ctrl-C ends a run that listens', async () => {
  await using folder = await createFolder({ 'ask.yaml': ask })
  await using cli = startCli(['run', folder.file('ask.yaml')])
  await cli.waitFor(/… ask +waits for approval "Pay it"/)
  cli.kill('SIGINT')
  // A run that ended by itself first would end with 1.
  expect([1, 130]).toContain((await cli.end).exitCode)
})

test.each([
  ['an event that nobody sends', hear, 'hear'],
  ['an approval that nobody can give', ask, 'ask'],
])('a run that waits for %s ends, and says what it waits for', async (_what, text, name) => {
  await using folder = await createFolder({ 'waits.yaml': text })
  const { exitCode, stdout, stderr } = await runCli(['run', folder.file('waits.yaml')])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`cannot go on[^]*${name}`))
})

test('an approval is answered by the name of its task, and no other task can be', async () => {
  await using folder = await createFolder({ 'ask.yaml': ask })
  const [approved, unknown] = await Promise.all([
    runCli(['run', folder.file('ask.yaml'), '-q', '--answer', 'ask=approve']),
    runCli(['run', folder.file('ask.yaml'), '-q', '--answer', 'aks=approve']),
  ])
  expect(JSON.parse(approved.stdout)).toMatchObject({ approved: true, outcome: 'approved', answers: [{ by: 'ada@example.com' }] })
  expect(unknown.exitCode).toBe(2)
  expect(unknown.stderr).toContain('Tasks that wait for one: ask.')
})

test('mail is not sent, and the error says so', async () => {
  await using folder = await createFolder({
    'mail.yaml': definition('- mail:\n    call: email\n    with: { to: ada@example.com, subject: Hi, text: Hi }'),
  })
  const { exitCode, stderr } = await runCli(['run', folder.file('mail.yaml')])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('"millrace run" sends no mail')
})

test('a function by URL is fetched before the run, and where it cannot be the place is told', async () => {
  await using service = await startHttpService(({ path }) =>
    path === '/f' ? { body: { set: { twice: '${ .n * 2 }' } } } : { status: 404 },
  )
  const calling = (path: string) => definition(`- twice:\n    call: ${service.url}/${path}\n    with: { n: 21 }`)
  await using folder = await createFolder({ 'good.yaml': calling('f'), 'bad.yaml': calling('g') })
  expect(JSON.parse((await runCli(['run', folder.file('good.yaml'), '-q'])).stdout)).toEqual({ twice: 42 })
  const { exitCode, stderr } = await runCli(['run', 'bad.yaml'], { cwd: folder.path })
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/error: bad\.yaml:4:\d+: http:.*\/g could not be fetched/)
})

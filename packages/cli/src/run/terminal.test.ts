import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createFolder, type RunningCli, startOnTerminal } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'

const pay = definition(`
- pay:
    call: approve
    with:
      title: Pay it
      description: |
        Compare the account number
        with the last one.
      details: { amount: 3 }
      approvers: [ada@example.com, { role: admin }]
      required: 2
      veto: 2
      reason: both
      deadline: P1DT12H
      onDeadline: approve
      escalation:
        - { after: PT4H, approvers: [{ role: owner }], replace: true, notify: [finance@example.com] }
`)
const asking = (title: string, more = '') => `{ call: approve, with: { title: ${title}, approvers: [ada@example.com]${more} } }`
const ask = (more = '') => definition(`- ask: ${asking('Pay it', more)}`)
/** Tasks that run side by side. */
const side = (...tasks: readonly string[]) =>
  definition(
    `- both:\n    fork: { branches: [${tasks.map((task, index) => `{ ${['one', 'two', 'three'][index]}: ${task} }`).join(', ')}] }\n    output: { as: '\${ { outcomes: map([.outcome, .approved]) } }' }`,
  )

/** The visible text, without colours and the status line. */
function read(text: string): string {
  const lines = stripVTControlCharacters(text.replaceAll('\r\n', '\n')).split('\n')
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1)).join('\n')
}

/** Waits for every question, which has to be the last that is shown, and types its answer; then gives all that was shown, and how it ended. */
async function converse(cli: RunningCli, ...turns: readonly (readonly [question: string, answer: string])[]) {
  const asked: string[] = []
  for (const [question, answer] of turns) {
    asked.push(question.replaceAll(/[?()]/g, '\\$&'))
    await cli.waitFor(new RegExp(`${asked.join('[^]*')}\\n$`))
    cli.write(answer)
  }
  const { stdout, exitCode } = await cli.end
  const text = read(stdout)
  const output = text.indexOf('\n{\n')
  return { text, exitCode, ...(output < 0 ? {} : { output: JSON.parse(text.slice(output)) }) }
}

describe('an approval on a terminal', () => {
  test('an approval is asked with all its properties, again after an invalid answer, and with the required reason', async () => {
    await using folder = await createFolder({ 'pay.yaml': pay })
    await using cli = startOnTerminal('millrace run pay.yaml', { cwd: folder.path })
    const { text, exitCode, output } = await converse(
      cli,
      ['approve or reject? ', 'perhaps\n'],
      ['approve or reject? ', 'A\n'],
      ['reason: ', ' \n'],
      ['reason: ', 'I have compared it\n'],
    )
    expect(exitCode).toBe(0)
    expect(text).toContain(
      [
        '? Pay it',
        '  Compare the account number',
        '  with the last one.',
        '  details    {"amount":3}',
        '  asked      ada@example.com, role admin; 2 have to approve, 2 have to reject; here one answer decides',
        '  reason     needed to approve and to reject',
        '  deadline   in 1 d 12 h: then it is approved',
        '  escalation after 4 h a server asks role owner instead and a server notifies finance@example.com',
        '  approve or reject? perhaps',
        '  Write "approve" or "reject".',
        '  approve or reject? A',
        '  reason:  ',
        '  A reason is required to approve.',
        '  reason: I have compared it',
        '✓ pay ',
      ].join('\n'),
    )
    expect(output).toMatchObject({ approved: true, answers: [{ decision: 'approve', reason: 'I have compared it' }] })
  })

  test('a form that does not fit its schema is asked again', async () => {
    const form = ', form: { type: object, required: [centre], properties: { centre: { type: string } } }'
    await using folder = await createFolder({ 'ask.yaml': ask(form) })
    await using cli = startOnTerminal('millrace run ask.yaml', { cwd: folder.path })
    const { text, output } = await converse(
      cli,
      ['approve or reject? ', 'yes\n'],
      ['reason (may be empty): ', '\n'],
      ['form, as JSON: ', 'centre\n'],
      ['form, as JSON: ', '{"centre":7}\n'],
      ['approve or reject? ', 'yes\n'],
      ['reason (may be empty): ', '\n'],
      ['form, as JSON: ', '{"centre":"4300"}\n'],
    )
    expect(text).toContain('/data/centre does not fit the form: ')
    expect(output).toMatchObject({ approved: true, data: { centre: '4300' } })
  })

  test('Ctrl-C during a prompt restores the terminal and reports the open approval', async () => {
    await using folder = await createFolder({ 'ask.yaml': ask() })
    await using cli = startOnTerminal('trap : INT; millrace run ask.yaml; echo "exit $?"; stty -a', { cwd: folder.path })
    const { text } = await converse(cli, ['approve or reject? ', 'appr'], ['appr', '\u0003'])
    expect(text).toMatch(
      /reject\? appr\^C\n\n■ cancelled after .*\n {2}ask \/do\/0\/ask waits for approval "Pay it" by ada@example\.com\nexit 130\n/,
    )
    expect(text).toMatch(/[^-]\bicanon\b/)
    expect(text).toMatch(/[^-]\becho\b/)
    const { stdout } = await cli.end
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })

  test('an approval without an answer, because Ctrl-D ended the input, ends the run with a hint how to answer', async () => {
    await using folder = await createFolder({ 'ask.yaml': ask() })
    const { text, exitCode } = await converse(startOnTerminal('millrace run ask.yaml', { cwd: folder.path }), [
      'approve or reject? ',
      '\u0004',
    ])
    expect(exitCode).toBe(1)
    expect(text).toMatch(/✗ cannot continue[^]*approval "Pay it"[^]*--answer ask=approve/)
  })

  test('approvals are asked one at a time', async () => {
    await using folder = await createFolder({ 'both.yaml': side(asking('First'), asking('Second')) })
    const { text, output } = await converse(
      startOnTerminal('millrace run both.yaml', { cwd: folder.path }),
      ['approve or reject? ', 'r\n'],
      ['reason: ', 'too dear\n'],
      ['approve or reject? ', 'a\n'],
      ['reason (may be empty): ', '\n'],
    )
    expect(text).toMatch(
      /\? First\n[^]*approve or reject\? r\n {2}reason: too dear\n[^?]*✓ one [^?]*\? Second\n[^?]*approve or reject\? a\n/,
    )
    expect(output).toEqual({
      outcomes: [
        ['rejected', false],
        ['approved', true],
      ],
    })
  })

  test('a deadline decides an approval during its prompt or before its turn, and buffered output is shown after', async () => {
    const both = side(
      asking('First', ', deadline: PT2S, onDeadline: approve'),
      asking('Second', ', deadline: PT1S'),
      '{ wait: { milliseconds: 200 } }',
    )
    await using folder = await createFolder({ 'both.yaml': both })
    const { text, exitCode, output } = await converse(startOnTerminal('millrace run both.yaml', { cwd: folder.path }))
    expect(exitCode).toBe(0)
    expect(text).toMatch(
      /deadline +in 2 s: then it is approved\n {2}approve or reject\? \n {2}The deadline has passed\.\n[^?]*✓ three [^?]*✓ one/,
    )
    expect(text).not.toContain('? Second')
    expect(output).toEqual({
      outcomes: [
        ['expired', true],
        ['expired', false],
        [null, null],
      ],
    })
  })

  test('an approval whose deadline fails it faults as on a server', async () => {
    await using folder = await createFolder({ 'ask.yaml': ask(', deadline: PT1S, onDeadline: fail') })
    const { text, exitCode } = await converse(startOnTerminal('millrace run ask.yaml', { cwd: folder.path }))
    expect(exitCode).toBe(1)
    expect(text).toMatch(/in 1 s: then the task fails/)
    expect(text).toMatch(/✗ faulted after .*\(408\)\n {2}detail +No decision before the deadline: Pay it/)
  })

  test('with --json no approval is asked on the terminal', async () => {
    await using folder = await createFolder({ 'ask.yaml': ask() })
    const { text, exitCode } = await converse(startOnTerminal('millrace run ask.yaml --json', { cwd: folder.path }))
    expect(exitCode).toBe(1)
    expect(text).toContain('"event":"run.stuck"')
    expect(text).not.toContain('reject?')
  })
})

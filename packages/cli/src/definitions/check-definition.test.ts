import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createPaint } from '#terminal/paint.ts'
import { definition } from '#testing/definitions.ts'
import { checkDefinition } from './check-definition.ts'
import { countText, formatDiagnostic } from './format-diagnostic.ts'

const plain = createPaint(new PassThrough())

describe('a checked definition', () => {
  test('a checked definition is present exactly when it has no error', () => {
    expect(checkDefinition('a.yaml', definition('- a: { set: { b: 1 } }')).definition).toBeDefined()
    expect(checkDefinition('a.yaml', definition('- a: { sett: { b: 1 } }')).definition).toBeUndefined()
  })

  test('the extension of a file decides its format, otherwise its content', () => {
    const yaml = definition('- a: { set: { b: 1 } }')
    const json = JSON.stringify({ document: { dsl: '1.0.3', namespace: 't', name: 't', version: '1.0.0' }, do: [{ a: { set: { b: 1 } } }] })
    expect(checkDefinition('a.JSON', yaml).definition).toBeUndefined()
    expect(checkDefinition('a.json', json).definition).toBeDefined()
    expect(checkDefinition('a.yml', json).definition).toBeDefined()
    expect(checkDefinition('<standard input>', json).definition).toBeDefined()
    expect(checkDefinition('<standard input>', yaml).definition).toBeDefined()
  })

  test.each([
    ['- a: { run: { shell: { command: ls } } }', '/do/0/a/run/shell'],
    [
      '- a: { call: grpc, with: { proto: { endpoint: "https://e.com/a.proto" }, service: { name: s, host: h }, method: m } }',
      '/do/0/a/call',
    ],
  ])('a part that this release cannot run is named with its position: %s', (tasks, pointer) => {
    const { diagnostics } = checkDefinition('a.yaml', definition(tasks))
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'unsupported_feature', severity: 'error', pointer, line: 3 })])
  })
})

describe('a function of a connector', () => {
  const calling = (name: string, args: string) => checkDefinition('a.yaml', definition(`- ask: { call: ${name}, with: ${args} }`))

  test('that comes with Millrace is checked with its arguments', () => {
    expect(calling('slack.postMessage', '{ connection: work, channel: "#a", text: Hi }').diagnostics).toEqual([])
    const { definition: usable, diagnostics } = calling('slack.postMessage', '{ connection: work, text: Hi }')
    expect(usable).toBeUndefined()
    expect(diagnostics).toEqual([expect.objectContaining({ severity: 'error', message: expect.stringContaining('channel') })])
  })

  test('whose name is wrong gets the close one', () => {
    const [diagnostic] = calling('slack.post_message', '{}').diagnostics
    expect(diagnostic).toMatchObject({ code: 'unknown_function', severity: 'error', hint: 'Did you mean "slack.postMessage"?' })
  })

  test('of another connector is left to the server, with a warning', () => {
    const { definition: usable, diagnostics } = calling('parcels.track', '{ number: 1 }')
    expect(usable).toBeDefined()
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'unknown_function', severity: 'warning', pointer: '/do/0/ask/call', line: 3 }),
    ])
  })
})

describe('a diagnostic', () => {
  const checked = checkDefinition(
    'flow.yaml',
    definition('- ask:\n    call: http\n    with: { methd: get, endpoint: https://example.com }'),
  )
  const [diagnostic] = checked.diagnostics

  test('a diagnostic is printed as file:line:column: severity: message (code), with source and hint', () => {
    if (diagnostic === undefined) throw new Error('the definition of the test is right')
    const lines = formatDiagnostic(checked, diagnostic, plain).split('\n')
    expect(lines[0]).toMatch(/^flow\.yaml:5:15: error: .+ \(unknown_property\)$/)
    expect(lines[2]).toBe('  5 |       with: { methd: get, endpoint: https://example.com }')
    expect(lines[3]).toBe('    |               ^^^^^')
    expect(lines.at(-1)).toMatch(/^ {2}hint: /)
  })

  test('a diagnostic of a hostile text has no control characters', () => {
    const hostile = checkDefinition('a.json', '{"do\\u001b[2J": 1}')
    const texts = hostile.diagnostics.map((one) => formatDiagnostic(hostile, one, plain))
    expect(texts.join('')).not.toContain('\u001b')
  })
})

test.each([
  [[], 'no problems'],
  [['error'], '1 error'],
  [['error', 'error', 'warning'], '2 errors, 1 warning'],
  [['warning', 'warning'], '2 warnings'],
] as const)('%j are counted as %s', (severities, text) => {
  const diagnostics = severities.map((severity) => ({
    code: 'wrong_type' as const,
    severity,
    pointer: '',
    line: 1,
    column: 1,
    message: '',
  }))
  expect(countText(diagnostics)).toBe(text)
})

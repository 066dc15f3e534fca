import { describe, expect, test } from 'vitest'
import { type TextFormat, formatProblem } from './text-format.ts'

const right: Readonly<Record<TextFormat, readonly string[]>> = {
  semver: ['0.0.0', '1.2.3', '10.20.30', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-0.3.7', '1.0.0+build.5', '1.0.0-rc.1+build.1'],
  dslVersion: ['1.0.0', '1.0.3', '1.0.0-alpha1'],
  workflowVersion: ['latest', '1.0.0'],
  hostname: ['a', 'A1', 'my-team', '0', 'a'.repeat(63), 'a--b'],
  host: ['localhost', 'a.example.com', '127.0.0.1', 'a'],
  variable: ['item', '_x', 'camelCase', 'with_2'],
  duration: ['PT5S', 'P1D', 'P1Y2M3W4DT5H6M7.5S'],
  interval: ['PT1S', 'PT1.5S', 'P1D', 'P1Y'],
  cron: ['0 0 * * *', '@daily'],
  timeZone: ['Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia'],
  uri: [
    'https://example.com',
    'http://localhost:8080/{a}/b?q={c}#{d}',
    'file:///a',
    'a+b-c.d://x',
    'https://example.com/%20',
    "https://example.com/'",
  ],
  uriTemplate: ['/oauth2/token', 'relative/{path}', '', 'https://example.com'],
  pointer: ['', '/', '/do/0/name', '/a~0b/c~1d', '/ /é'],
  timestamp: [
    '2026-01-31T12:00:00Z',
    '2026-01-31t12:00:00.123456z',
    '2024-02-29T00:00:00+05:30',
    '2026-12-31T23:59:60Z',
    '2026-01-01T00:00:00-0800',
  ],
  scriptLanguage: ['js', 'python'],
  expressionLanguage: ['jq'],
  httpMethod: ['GET', 'post', 'Delete'],
}

const wrong: Readonly<Record<TextFormat, readonly string[]>> = {
  semver: ['', '1', '1.0', '1.0.0.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0+', ' 1.0.0', 'latest'],
  dslVersion: ['1.1.0', '2.0.0', '0.9.0', '0.8', 'x'],
  workflowVersion: ['', 'Latest', '1', '^1.0.0'],
  hostname: ['', '-a', 'a-', 'a b', 'a.b', 'a_b', 'é', 'a'.repeat(64)],
  host: ['', '-a', 'a:80', 'http://a', 'a/b', 'a '],
  variable: ['', '$item', '1st', 'a-b', 'a b', 'é', 'a.b'],
  duration: ['', '5s', 'PT', 'P', '5 minutes', 'P1H'],
  interval: ['', '5m', 'PT0S', 'PT0.999S', '${ .every }'],
  cron: ['', '* * * *', '61 * * * *'],
  timeZone: ['', '+01:00', 'Europe/Berlim', 'Berlin time'],
  uri: [
    '',
    '/relative',
    'example.com',
    'mailto:a@b',
    '://x',
    '1a://x',
    'https://a b',
    'https://a/{',
    'https://a/}',
    'https://a/{}',
    'https://a/{a{b}}',
    'https://a/"',
    'https://a/%zz',
    'https://a/%2',
  ],
  uriTemplate: ['a b', '/{', '/a|b', '/\u0000', '/%x0'],
  pointer: ['do', 'do/0', '/a~2', '/~', '#/do'],
  timestamp: [
    '',
    '2026-01-31',
    '12:00:00',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00:00+24:00',
    'yesterday',
  ],
  scriptLanguage: ['ruby', 'JS', ''],
  expressionLanguage: ['javascript', 'JQ', ''],
  httpMethod: ['', 'FETCH', 'TRACE', 'G ET'],
}

function cases(table: Readonly<Record<string, readonly string[]>>): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([format, values]) => values.map((value) => [format, value] as const))
}

/** The tables are keyed by format; entries lose that. */
function isFormat(name: string): name is TextFormat {
  return name in right
}

function check(format: string, value: string) {
  if (!isFormat(format)) throw new Error(`${format} is not a format.`)
  return formatProblem(format, value)
}

describe('formats of strings', () => {
  test.each(cases(right))('%s takes %j', (format, value) => {
    expect(check(format, value)).toBeUndefined()
  })

  test.each(cases(wrong))('%s refuses %j and says what to write', (format, value) => {
    const problem = check(format, value)
    expect(problem?.message).toMatch(/\.$/)
    expect(problem?.hint).toMatch(/[.?]$/)
  })

  test('a long value is cut in the message', () => {
    expect(formatProblem('hostname', 'x '.repeat(500))?.message.length).toBeLessThan(120)
  })

  test('a variable that is written with $ is shown without', () => {
    expect(formatProblem('variable', '$pet')?.hint).toBe('Write pet, without $; expressions then read it as $pet.')
  })

  test('each format has its own code, so that programs can distinguish them', () => {
    const codes = Object.fromEntries(cases(wrong).map(([format, value]) => [format, check(format, value)?.code]))
    expect(codes).toEqual({
      semver: 'invalid_semver',
      dslVersion: 'invalid_semver',
      workflowVersion: 'invalid_semver',
      hostname: 'invalid_name',
      host: 'invalid_name',
      variable: 'invalid_name',
      duration: 'invalid_duration',
      interval: 'invalid_duration',
      cron: 'invalid_cron',
      timeZone: 'invalid_value',
      uri: 'invalid_uri',
      uriTemplate: 'invalid_uri',
      pointer: 'invalid_pointer',
      timestamp: 'invalid_timestamp',
      scriptLanguage: 'unsupported_feature',
      expressionLanguage: 'unsupported_feature',
      httpMethod: 'invalid_value',
    })
    expect(formatProblem('interval', 'PT0S')?.code).toBe('invalid_value')
    expect(formatProblem('cron', '0 0 31 2 *')?.code).toBe('impossible_cron')
    expect(formatProblem('dslVersion', '2.0.0')?.code).toBe('unsupported_dsl_version')
  })
})

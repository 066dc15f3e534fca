import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as api from './index.ts'
import { defaultLimits } from './compile/machine.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

interface Example {
  readonly call: string
  readonly result: string
}

/** The calls of all TypeScript examples with the comment that says what they give. */
function examples(): Example[] {
  return [...readme.matchAll(/```ts\n([^]*?)```/g)].flatMap(([, code = '']) =>
    [...code.matchAll(/((?:^(?!\/\/|import).+\n)+)((?:^\/\/ .+\n?)+)/gm)].map(([, call = '', result = '']) => ({
      call: call.trim(),
      result: result.replace(/^\/\/ /gm, '').trim(),
    })),
  )
}

/** A literal of the README, which writes keys without quotes and text in single quotes, as JSON. */
function literal(text: string): unknown {
  return JSON.parse(
    text
      .replace(/'((?:[^'\\]|\\.)*)'/g, (_whole, inner: string) => JSON.stringify(inner))
      .replace(/([{,]\s*)(\w+):/g, '$1"$2":')
      .replace(/,(\s*[\]}])/g, '$1'),
  )
}

/** Runs `compile('…', options).method(arguments)` or a call of `complete`. */
function outcome(call: string): unknown {
  const text = call.replace(/^const (\w+) = (.+)\n\1\./s, '$2.').replace(/\s*\n\s*/g, ' ')
  const program = /^compile\('((?:[^'\\]|\\.)*)'(?:, (\{.*?\}))?\)\.(run|first)\((.*)\)$/.exec(text)
  if (program !== null) {
    const [, source = '', options = '{}', method, args = ''] = program
    const values = literal(`[${args}]`)
    const compiled = api.compile(source, Object(literal(options)))
    const [input, variables] = Array.isArray(values) ? values : []
    return method === 'run' ? compiled.run(input, variables) : compiled.first(input, variables)
  }
  const completion = /^complete\('((?:[^'\\]|\\.)*)', (\d+), (\{.*\})\)$/.exec(text)
  if (completion === null) throw new Error(`No way to run ${text}`)
  const [, source = '', offset, shape = ''] = completion
  return api.complete(source, Number(offset), Object(literal(shape))).map(({ text: offered }) => offered)
}

describe('the README', () => {
  test('has examples', () => {
    expect(examples().length).toBeGreaterThanOrEqual(4)
  })

  test.each(examples())('$call gives $result', ({ call, result }) => {
    expect(outcome(call)).toEqual(literal(result))
  })

  test('names the defaults of the limits', () => {
    for (const [name, value] of Object.entries(defaultLimits)) {
      expect(readme).toMatch(new RegExp(`\\| \`${name}\` +\\| ${value.toLocaleString('en-US')} `))
    }
  })

  test('names everything that the package exports', () => {
    for (const name of Object.keys(api)) expect(readme).toContain(name)
  })

  test('names every built-in that is refused', () => {
    for (const name of [
      'input',
      'inputs',
      'debug',
      'stderr',
      'halt',
      'halt_error',
      'env',
      '$ENV',
      'input_filename',
      'input_line_number',
      'get_search_list',
    ]) {
      expect(readme).toContain(`\`${name}\``)
      expect(() => api.compile(name)).toThrow(/is not available/)
    }
  })

  test('offers only what jq in WebAssembly has not as its own addition', () => {
    for (const name of ['ascii', 'toarray', 'date', 'dateadd(.; 1)', 'datesub(.; 1)', 'gamma', '@base32', '@base32d']) {
      expect(() => api.compile(name)).not.toThrow()
      expect(readme).toContain(`\`${name.replace(/\(.*/, '')}\``)
    }
  })
})

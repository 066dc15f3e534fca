import { startProcessorTime } from '#src/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { compile, JqSyntaxError } from './index.ts'

const sourceLength = 64 * 1024
/** Far above what any of these takes, and far below what a quadratic one would. */
const msMax = 1_500

function repeated(unit: (at: number) => string, separator = '', before = '', after = ''): string {
  let source = before
  for (let at = 0; source.length < sourceLength - 100; at++) source += (at === 0 ? '' : separator) + unit(at)
  return source + after
}

function definitions(count: number, write: (at: number) => string, program: string): string {
  return Array.from({ length: count }, (_none, at) => write(at)).join('') + program
}

describe('a program of 64 KiB compiles in time proportional to its length', () => {
  test.each<[string, string]>([
    ['fields of a new object', repeated((at) => `a${at}`, ',', '{', '}')],
    ['many paths that are read', repeated((at) => `.a${at}`, ',')],
    ['a long path that is read', repeated(() => '.a', '|')],
    ['paths that double with each stage', repeated((at) => `(.a${at}//.b)`, '|')],
    ['paths that double by a list', Array.from({ length: 200 }, () => '(.a, .b)').join('|')],
    ['lines that are asked for', repeated(() => '$__loc__\n', ',')],
    ['variables of an array pattern', repeated((at) => `$a${at}`, ',', '. as [', '] | 1')],
    ['alternative patterns', repeated((at) => `[$a${at}]`, '?//', '. as ', ' | 1')],
    ['definitions that are never called', repeated((at) => `def f${at}: .;`, '', '', '.')],
    ['definitions whose calls double', definitions(900, (at) => `def f${at}: ${at === 0 ? '.a' : `f${at - 1}|f${at - 1}`};`, 'f899')],
    ['arguments that double', definitions(60, (at) => `def f${at}(g): ${at === 0 ? 'g' : `f${at - 1}(g|g)`};`, 'f59(.)')],
    [
      'two arguments that double',
      definitions(300, (at) => `def f${at}(g; h): ${at === 0 ? 'g|h' : `f${at - 1}(g|h; h|g)`};`, 'f299(.a; .b)'),
    ],
    [
      'recursive definitions inside one another',
      `${Array.from({ length: 60 }, (_none, at) => `def f${at}: if . then f${at} else `).join('')}.${Array.from({ length: 60 }, (_none, at) => ` end, 1; f${59 - at}`).join('')}`,
    ],
    [
      'recursive definitions with arguments that double',
      definitions(
        300,
        (at) => `def f${at}(g): if . then f${at}(g) else ${at === 0 ? 'g' : `f${at - 1}(g), f${at - 1}(g|g)`} end;`,
        'f299(.)',
      ),
    ],
    ['a long text', `"${'a\\n'.repeat(sourceLength / 3)}"`],
    ['interpolations', `"${'\\(.)'.repeat(sourceLength / 4 - 1)}"`],
    ['folds inside one another', `${'reduce .[] as $x (0; '.repeat(250)}.${')'.repeat(250)}`],
    ['updates of what they read', repeated(() => '.a = .a + 1', '|', 'reduce .[] as $x (.; ', ')')],
    ['built-ins that are written in jq', repeated(() => 'gsub("a"; "b")', '|')],
  ])('%s', (_name, source) => {
    const spent = startProcessorTime()
    try {
      compile(source)
    } catch (error) {
      if (!(error instanceof JqSyntaxError)) throw error
    }
    expect(spent()).toBeLessThan(msMax)
  })

  test('and means the same when its definitions are not copied', () => {
    const doubling = definitions(18, (at) => `def f${at}(g): ${at === 0 ? 'g' : `f${at - 1}(g|g)`};`, 'f17(. + 1)')
    expect(compile(doubling).first(0)).toBe(2 ** 17)
  })

  test('what reads too many paths is taken to read everything', () => {
    expect(compile(Array.from({ length: 200 }, () => '(.a, .b)').join('|')).reads.paths).toEqual(['.'])
    expect(compile('(.a, .b) | (.c, .d)').reads.paths).toEqual(['.a.c', '.a.d', '.b.c', '.b.d'])
  })
})

import { describe, expect, test } from 'vitest'
import { defaultScriptLimits } from './limits.ts'
import type { ScriptOutcome } from './messages.ts'
import type { ScriptReturn } from './request.ts'
import { scriptResult } from './result.ts'

const good: ScriptOutcome = { kind: 'exited', code: 0, stdout: 'out', stderr: 'err' }
const bad: ScriptOutcome = { kind: 'exited', code: 3, stdout: 'out', stderr: 'some reason\n' }

function failure(outcome: ScriptOutcome, returns: ScriptReturn = 'stdout'): unknown {
  try {
    return scriptResult(outcome, returns, defaultScriptLimits)
  } catch (error) {
    return error
  }
}

const runtimeError = (detail: string) => ({ data: { type: expect.stringMatching(/\/runtime$/), status: 500, detail } })

test.each([
  ['stdout', 'out'],
  ['stderr', 'err'],
  ['code', 0],
  ['all', { code: 0, stdout: 'out', stderr: 'err' }],
  ['none', null],
] as const)('a script that ends well gives by %s %j', (returns, value) => {
  expect(scriptResult(good, returns, defaultScriptLimits)).toEqual(value)
})

test.each(['stdout', 'stderr', 'none'] as const)('another status is an error for who asks for %s', (returns) => {
  expect(failure(bad, returns)).toMatchObject(runtimeError('the script ended with status 3: some reason'))
})

test('who asks for the status gets it', () => {
  expect(failure(bad, 'code')).toBe(3)
  expect(failure(bad, 'all')).toEqual({ code: 3, stdout: 'out', stderr: 'some reason\n' })
})

test('the error of a script without output has its status', () => {
  expect(failure({ ...bad, stderr: ' \n' })).toMatchObject(runtimeError('the script ended with status 3'))
})

test('the error has the end of a long output, without half characters', () => {
  const outcome = { ...bad, stderr: `start${'x'.repeat(2_000)}😀${'y'.repeat(999)}` }
  expect(failure(outcome)).toMatchObject(runtimeError(`the script ended with status 3: …\ufffd${'y'.repeat(999)}`))
})

describe('a limit is an error whatever is asked for', () => {
  const rows = [
    ['memory', 'the script needs more than 64 MiB'],
    ['stack', 'the script calls too deep: its stack has 512 KiB'],
    ['output', 'the script writes more than 1 MiB'],
  ] as const

  test.each(rows)('%s', (limit, detail) => {
    for (const returns of ['stdout', 'code', 'all', 'none'] as const)
      expect(failure({ kind: 'limit', limit }, returns)).toMatchObject(runtimeError(detail))
  })

  test('time, by the error of its own', () => {
    expect(failure({ kind: 'limit', limit: 'time' }, 'all')).toMatchObject({
      data: { type: expect.stringMatching(/\/timeout$/), status: 408, detail: 'the script took more than 10 s of processor time' },
    })
  })
})

test('a broken sandbox is an error without internal details', () => {
  expect(failure({ kind: 'crashed', reason: 'at /some/path' }, 'all')).toMatchObject(
    runtimeError('the script broke the sandbox that it ran in'),
  )
})

import { standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { bytesText, type ScriptLimits } from './limits.ts'
import type { ScriptOutcome } from './messages.ts'
import type { ScriptReturn } from './request.ts'

const TAIL_CHARACTERS = 1_000

/**
 * The output of a script for its workflow.
 *
 * A status other than 0 is an error, unless the workflow has asked for the status: with `code` and `all` it decides itself.
 * Raises a timeout error for a script that is out of time and a runtime error for every other failure.
 */
export function scriptResult(outcome: ScriptOutcome, returns: ScriptReturn, limits: ScriptLimits): Json {
  switch (outcome.kind) {
    case 'limit':
      throw limitError(outcome.limit, limits)
    case 'crashed':
      throw standardError('runtime', 'the script broke the sandbox that it ran in')
    case 'exited': {
      const { code, stdout, stderr } = outcome
      if (returns === 'all') return { code, stdout, stderr }
      if (returns === 'code') return code
      if (code !== 0) throw standardError('runtime', `the script ended with status ${code}${tail(stderr)}`)
      if (returns === 'none') return null
      return returns === 'stdout' ? stdout : stderr
    }
  }
}

function limitError(limit: 'time' | 'memory' | 'stack' | 'output', limits: ScriptLimits): Error {
  switch (limit) {
    case 'time':
      return standardError('timeout', `the script took more than ${limits.timeoutMs / 1000} s of processor time`)
    case 'memory':
      return standardError('runtime', `the script needs more than ${bytesText(limits.memoryBytes)}`)
    case 'stack':
      return standardError('runtime', `the script calls too deep: its stack has ${bytesText(limits.stackBytes)}`)
    case 'output':
      return standardError('runtime', `the script writes more than ${bytesText(limits.outputBytes)}`)
  }
}

/** The end of standard error, where the reason mostly is. */
function tail(stderr: string): string {
  const text = stderr.trimEnd()
  if (text === '') return ''
  return text.length > TAIL_CHARACTERS ? `: …${text.slice(-TAIL_CHARACTERS).toWellFormed()}` : `: ${text}`
}

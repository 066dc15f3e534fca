import { expect, test } from 'vitest'
import { ownProcessor } from '#durable/ports/processor.ts'
import { type Interruptible, walkInTurns } from './interruptible.ts'

test('an aborted walk is ended, so that its generators can clean up', async () => {
  const abort = new AbortController()
  let isEnded = false
  function* walk(): Interruptible<string> {
    try {
      abort.abort(new Error('the process closes'))
      yield { kind: 'turn' }
      return 'end'
    } finally {
      isEnded = true
    }
  }
  const walked = walkInTurns(walk(), { processor: ownProcessor, accountId: 'account', signal: abort.signal })
  await expect(walked).rejects.toThrow('the process closes')
  expect(isEnded).toBe(true)
})

import { expect, test } from 'vitest'
import { createAudioDuration } from './audio-duration.ts'

test('a container that is made to be slow is read in bounded time, beside other work', async () => {
  const head = '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878102428581021853806701ffffffffffffff'
  const bytes = Buffer.concat([Buffer.from(head, 'hex'), Buffer.from('ec80'.repeat(2_000_000), 'hex')])
  let turns = 0
  const timer = setInterval(() => turns++, 10)
  expect(await createAudioDuration()('account', { bytes, mediaType: 'audio/webm' })).toBeUndefined()
  clearInterval(timer)
  expect(turns).toBeGreaterThan(50)
})

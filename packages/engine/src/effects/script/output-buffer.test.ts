import { expect, test } from 'vitest'
import { createOutputBuffer } from './evaluate.ts'

test('each stream has what was written to it', () => {
  const output = createOutputBuffer(100)
  output.write('stdout', 'a')
  output.write('stderr', 'b')
  output.write('stdout', 'c')
  expect([output.stdout(), output.stderr()]).toEqual(['ac', 'b'])
})

test('both streams together have the bytes that are given, and no more', () => {
  const output = createOutputBuffer(4)
  expect([output.write('stdout', 'ab'), output.write('stderr', 'cd'), output.write('stdout', 'e')]).toEqual([true, true, false])
  expect([output.stdout(), output.stderr()]).toEqual(['ab', 'cd'])
})

test('bytes are counted, not characters', () => {
  expect(createOutputBuffer(3).write('stdout', 'éé')).toBe(false)
  expect(createOutputBuffer(4).write('stdout', 'éé')).toBe(true)
})

test('of what does not fit nothing is kept, and what is smaller still fits', () => {
  const output = createOutputBuffer(3)
  expect([output.write('stdout', 'long'), output.write('stdout', 'abc')]).toEqual([false, true])
  expect(output.stdout()).toBe('abc')
})

import { expect, test } from 'vitest'
import { withSpoken, withUnsent } from '#src/pages/assistant/message-text.ts'

test.for([
  ['', 'hello', 'hello'],
  ['typed meanwhile ', 'hello', 'typed meanwhile hello'],
  ['typed', '', 'typed'],
] as const)('what is spoken stands after what is typed: %j and %j', ([text, spoken, all]) => {
  expect(withSpoken(text, spoken)).toBe(all)
})

test.for([
  ['', 'lost?', 'lost?'],
  [' \n', 'lost?', 'lost?'],
  ['the next one', 'lost?', 'lost?\nthe next one'],
] as const)('a message that was not sent is not lost: %j and %j', ([text, message, all]) => {
  expect(withUnsent(text, message)).toBe(all)
})

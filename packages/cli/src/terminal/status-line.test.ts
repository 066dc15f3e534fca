import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createStatusLine } from './status-line.ts'

function screen() {
  const stream = new PassThrough().setEncoding('utf8')
  return Object.assign(stream, { isTTY: true, columns: 40, text: () => String(stream.read() ?? '') })
}

test('permanent lines are written above the status line, which is drawn again below them', () => {
  const output = screen()
  const line = createStatusLine(output, () => 'charge 1.0 s')
  line.print('first\n')
  line.print('second\n')
  line.close()
  const text = output.text()
  expect(text.indexOf('first')).toBeLessThan(text.indexOf('charge'))
  expect(text.lastIndexOf('charge')).toBeGreaterThan(text.indexOf('second'))
})

test('a closed status line is removed and the cursor is shown again', () => {
  const output = screen()
  const line = createStatusLine(output, () => 'charge')
  line.print('first\n')
  line.close()
  expect(output.text().endsWith('\r\u001b[2K\u001b[?25h')).toBe(true)
})

test('without a status, lines are written plainly', () => {
  const output = screen()
  const line = createStatusLine(output, () => undefined)
  line.print('only\n')
  line.close()
  expect(output.text()).toBe('only\n')
})

test('a status that is wider than the terminal is cut to one line', () => {
  const output = screen()
  const line = createStatusLine(output, () => 'x'.repeat(500))
  line.print('')
  line.close()
  expect(/x+/.exec(output.text())?.[0].length).toBeLessThan(40)
})

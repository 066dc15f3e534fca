import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createStatusLine } from './status-line.ts'

function screen() {
  const stream = new PassThrough().setEncoding('utf8')
  return Object.assign(stream, { isTTY: true, columns: 40, text: () => String(stream.read() ?? '') })
}

test('lines that stay are written above the status, which is drawn again below them', () => {
  const output = screen()
  const line = createStatusLine(output, () => 'charge 1.0 s')
  line.print('first\n')
  line.print('second\n')
  line.close()
  const text = output.text()
  expect(text.indexOf('first')).toBeLessThan(text.indexOf('charge'))
  expect(text.lastIndexOf('charge')).toBeGreaterThan(text.indexOf('second'))
})

test('when it is closed nothing of it is left and the cursor is back', () => {
  const output = screen()
  const line = createStatusLine(output, () => 'charge')
  line.print('first\n')
  line.close()
  expect(output.text().endsWith('\r\u001b[2K\u001b[?25h')).toBe(true)
})

test('while there is no status, lines are written plainly', () => {
  const output = screen()
  const line = createStatusLine(output, () => undefined)
  line.print('only\n')
  line.close()
  expect(output.text()).toBe('only\n')
})

test('a status longer than the terminal is wide is cut, so that it stays one line', () => {
  const output = screen()
  const line = createStatusLine(output, () => 'x'.repeat(500))
  line.print('')
  line.close()
  expect(/x+/.exec(output.text())?.[0].length).toBeLessThan(40)
})

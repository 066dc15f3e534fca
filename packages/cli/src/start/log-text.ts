import type { Paint } from '#terminal/paint.ts'
import { printableLine } from '#terminal/printable.ts'

const levels: Readonly<Record<number, readonly [string, keyof Paint]>> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'cyan'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** Turns a line of the log, which is JSON, into one for people: time, level, message, and what else it says. */
export function logText(line: string, paint: Paint): string {
  const entry = parsed(line)
  if (entry === undefined) return `${printableLine(line.trimEnd())}\n`
  const { level, time, msg, err, ...rest } = entry
  const [name, style] = levels[Number(level)] ?? ['log', 'dim']
  const clock = typeof time === 'string' ? time.slice(11, 19) : ''
  const details = Object.entries(rest).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const text = [
    paint.dim(clock),
    paint[style](name.padEnd(5)),
    printableLine(typeof msg === 'string' ? msg : ''),
    paint.dim(printableLine(details.join(' '))),
  ]
  return `${text.join(' ').trimEnd()}\n${stackOf(err)}`
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : undefined
  if (typeof text !== 'string') return ''
  const lines = text.split('\n').map((line) => `         ${printableLine(line)}\n`)
  return lines.join('')
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

import type { Json } from '@millrace/engine'
import { formatDuration } from '#terminal/duration.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { printable, printableLine, truncate } from '#terminal/printable.ts'
import { createStatusLine } from '#terminal/status-line.ts'
import { formatTaskLine, type TaskMark } from '#terminal/task-line.ts'
import { columnsOf, type Output } from '#terminal/terminal.ts'
import { wrap } from '#terminal/wrap.ts'
import { noteLines } from './note-lines.ts'
import type { Progress, TaskEvent } from './task-event.ts'

export interface TextProgressOptions {
  /** Shows the input and output of every task. */
  readonly verbose: boolean
  /** Applied to everything that comes from data. */
  readonly mask: (text: string) => string
  readonly now: () => number
}

const containers: ReadonlySet<string> = new Set(['do', 'for', 'fork', 'try'])
const lasting: ReadonlySet<string> = new Set(['call', 'wait', 'run-workflow', 'listen', 'message'])
/** Have a line of their own when they begin to wait. */
const waiting: ReadonlySet<string> = new Set(['listen', 'message'])

/**
 * Shows tasks as lines that stay: where a task that contains others begins, and where every task ends. A task in progress is shown on a
 * terminal by a last line that moves, and elsewhere by a line when it begins.
 */
export function createTextProgress(output: Output, options: TextProgressOptions): Progress {
  const paint = createPaint(output)
  /** Of tasks whose beginning is not printed. */
  const inputs = new Map<string, Json>()
  const running = new Map<string, { readonly name: string; readonly sinceMs: number }>()
  const status = output.isTTY === true ? createStatusLine(output, () => statusText(running, options.now())) : undefined
  /** Of tasks that will wait, by position. */
  const depths = new Map<string, number>()
  /** Lines that wait until the screen is free again. */
  let buffered: string[] = []
  let pauses = 0
  const print = (text: string): void => {
    if (pauses > 0) buffered.push(text)
    else if (status === undefined) output.write(text)
    else status.print(text)
  }
  return {
    task(event) {
      if (event.event === 'started' && lasting.has(event.kind)) running.set(event.position, { name: event.name, sinceMs: options.now() })
      else running.delete(event.position)
      if (waiting.has(event.kind)) depths.set(event.position, event.depth)
      const transient = waiting.has(event.kind) || (status !== undefined && lasting.has(event.kind))
      const quick = !containers.has(event.kind) && !lasting.has(event.kind)
      if (event.event === 'started' && (quick || transient)) {
        if (event.input !== undefined) inputs.set(event.position, event.input)
        return
      }
      const input = event.input ?? inputs.get(event.position)
      inputs.delete(event.position)
      print(`${linesOf({ ...event, ...(input === undefined ? {} : { input }) }, columnsOf(output), paint, options).join('\n')}\n`)
    },
    note(note) {
      const depth = 'position' in note ? (depths.get(note.position) ?? 0) : 0
      const lines = noteLines(note, depth, columnsOf(output), paint, options)
      if (lines.length > 0) print(`${lines.join('\n')}\n`)
    },
    pause() {
      pauses += 1
      const release = status?.pause()
      return () => {
        release?.()
        pauses -= 1
        if (pauses > 0) return
        for (const text of buffered) print(text)
        buffered = []
      }
    },
    close: () => status?.close(),
  }
}

function statusText(running: ReadonlyMap<string, { readonly name: string; readonly sinceMs: number }>, nowMs: number): string | undefined {
  if (running.size === 0) return undefined
  const names = [...running.values()].map(({ name, sinceMs }) => `${printableLine(name)} ${formatDuration(nowMs - sinceMs)}`)
  return names.join(' · ')
}

const markOf: Readonly<Record<TaskEvent['event'], TaskMark>> = {
  started: 'begun',
  completed: 'completed',
  faulted: 'faulted',
  skipped: 'skipped',
  cancelled: 'cancelled',
}

function linesOf(event: TaskEvent, columns: number, paint: Paint, { verbose, mask }: TextProgressOptions): readonly string[] {
  const { depth, durationMs, error } = event
  const name = [...event.branches, event.name].join(' › ')
  const what = error === undefined ? whatOf(event) : `${error.title} (${error.status})`
  const line = {
    mark: markOf[event.event],
    depth,
    name,
    remarks: remarksOf(event),
    what,
    ...(durationMs === undefined ? {} : { durationMs }),
  }
  const indent = '  '.repeat(depth + 2)
  const room = Math.max(20, columns - indent.length)
  // Tasks around the one that failed hand its error on; what it says stands there once.
  const detail = error?.detail === undefined || containers.has(event.kind) ? [] : wrap(printable(mask(error.detail)), room)
  const first = [formatTaskLine(line, columns, paint), ...detail.map((text) => `${indent}${paint.red(text)}`)]
  if (!verbose) return first
  const value = (label: string, data: unknown): string[] => {
    if (data === undefined) return []
    const text = `${label} ${printableLine(mask(JSON.stringify(data)))}`
    return [`${indent}${paint.dim(truncate(text, room))}`]
  }
  return [...first, ...value('in ', event.input), ...value('out', event.output)]
}

/** The description of a task that contains others was printed where it began. */
function whatOf({ event, kind, what }: TaskEvent): string {
  if (event === 'skipped' || event === 'cancelled') return event
  return event === 'completed' && containers.has(kind) ? '' : what
}

function remarksOf({ iteration, attempt, visit }: TaskEvent): readonly string[] {
  return [
    ...(iteration === undefined ? [] : [`#${iteration + 1}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(visit === undefined ? [] : [`visit ${visit}`]),
  ]
}

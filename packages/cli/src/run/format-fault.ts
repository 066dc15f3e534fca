import type { ErrorData } from '@millrace/engine'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import type { LoadedDefinition } from '#definitions/load-definition.ts'
import { formatDuration } from '#terminal/duration.ts'
import { excerpt } from '#terminal/excerpt.ts'
import type { Paint } from '#terminal/paint.ts'
import { printable } from '#terminal/printable.ts'

/** The file and position of the task that raised an error. */
export interface ErrorPlace {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** The name of the task; undefined when the error is the workflow's own. */
  readonly task: string | undefined
  /** The workflow, when it is one that the definition runs. */
  readonly workflow: string | undefined
  readonly source: string
}

/**
 * Finds the place of an error in the files.
 * @param child the workflow in which it was raised, when it passed through a task that runs a workflow
 */
export function placeOf(error: ErrorData, { root }: WorkflowBundle, child: LoadedDefinition | undefined): ErrorPlace {
  const { checked, id } = child ?? root
  const pointer = error.instance === undefined || error.instance === '/' ? '' : error.instance
  const { positions, source } = checked.parsed
  const { start, end } = positions.key(pointer) ?? positions.nearest(pointer)
  return {
    file: checked.file,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    task: positions.key(pointer) === undefined ? undefined : taskName(pointer),
    workflow: child === undefined ? undefined : id,
    source,
  }
}

function taskName(pointer: string): string | undefined {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** The error for people: what, where, and the piece of the definition. */
export function formatFault(error: ErrorData, place: ErrorPlace, durationMs: number, paint: Paint): string {
  const row = (label: string, text: string): string => `  ${paint.dim(label.padEnd(9))} ${printable(text)}`
  const task = place.task === undefined ? '' : `, task "${place.task}"`
  const where = `${place.file}:${place.line}:${place.column}${task}`
  return [
    `${paint.red('✗ faulted')} after ${formatDuration(durationMs)}: ${paint.bold(printable(error.title))} (${error.status})`,
    ...(error.detail === undefined ? [] : [row('detail', error.detail)]),
    row('type', error.type),
    ...(error.instance === undefined ? [] : [row('instance', error.instance)]),
    ...(place.workflow === undefined ? [] : [row('workflow', place.workflow)]),
    row('at', where),
    ...(error.instance === '/input' && place.workflow === undefined
      ? [row('hint', 'The input is given with --input; see "millrace run --help".')]
      : []),
    '',
    ...excerpt(place.source, place, paint).map((line) => `  ${line}`),
  ].join('\n')
}

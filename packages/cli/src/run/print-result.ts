import type { ErrorData, Json, JsonObject } from '@millrace/engine'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import { formatDuration } from '#terminal/duration.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { printableLine } from '#terminal/printable.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { FaultOrigin } from './fault-origin.ts'
import { formatFault, placeOf } from './format-fault.ts'
import { adviceFor, describeWait } from './external-input/describe-wait.ts'
import type { GivenAnswer } from './external-input/given-answers.ts'
import type { NamedWait } from './external-input/external-input.ts'
import type { Show } from './progress/create-progress.ts'
import type { SecretOptions } from './read-secrets.ts'

/** The arguments of `millrace run`. */
export interface RunRequest {
  readonly file: string
  readonly inputs: readonly string[]
  readonly others: readonly string[]
  readonly secrets: SecretOptions
  /** `name=value` each. */
  readonly variables: readonly string[]
  /** Each is JSON or a file. */
  readonly events: readonly string[]
  /** `-` for events one a line on standard input. */
  readonly eventLines: string | undefined
  readonly answers: readonly string[]
  readonly denyPrivateNetwork: boolean
  readonly show: Show
  readonly raw: boolean
}

/** Everything that a run needs. */
export interface PreparedRun {
  readonly bundle: WorkflowBundle
  readonly input: Json
  readonly secrets: JsonObject
  readonly events: readonly JsonObject[]
  readonly answers: readonly GivenAnswer[]
  readonly request: RunRequest
  readonly terminal: Terminal
  readonly mask: (text: string) => string
}

export function heading({ bundle, terminal }: PreparedRun): string {
  const paint = createPaint(terminal.stderr)
  const { workflow, checked } = bundle.root
  return `${paint.bold(workflow.document.name)} ${workflow.document.version} ${paint.dim(checked.file)}\n`
}

export function printCompleted(output: Json, durationMs: number, { request, terminal }: PreparedRun): ExitCode {
  const { show, raw } = request
  const paint = createPaint(terminal.stderr)
  if (show === 'json') terminal.stderr.write(`${JSON.stringify({ event: 'run.completed', durationMs })}\n`)
  else if (show !== 'nothing') terminal.stderr.write(`\n${paint.green('✓ completed')} in ${formatDuration(durationMs)}\n\n`)
  const text = raw && typeof output === 'string' ? output : JSON.stringify(output, null, show === 'json' ? 0 : 2)
  terminal.stdout.write(`${text}\n`)
  return exitCodes.ok
}

/** Prints that Ctrl-C ended the run, with its open waits. */
export function printCancelled(waits: readonly NamedWait[], durationMs: number, { request, terminal, mask }: PreparedRun): ExitCode {
  const described = describeWaits(waits)
  if (request.show === 'json') {
    terminal.stderr.write(`${mask(JSON.stringify({ event: 'run.cancelled', durationMs, waits: described }))}\n`)
    return exitCodes.interrupted
  }
  const paint = createPaint(terminal.stderr)
  const head = `\n${paint.yellow('■ cancelled')} after ${formatDuration(durationMs)}`
  terminal.stderr.write(`${mask([head, ...described.map((wait) => waitLine(wait, paint))].join('\n'))}\n`)
  return exitCodes.interrupted
}

/** Prints that the run waits for something that can no longer happen. */
export function printStuck(waits: readonly NamedWait[], durationMs: number, { request, terminal, mask }: PreparedRun): ExitCode {
  const described = describeWaits(waits).map((wait) => ({ ...wait, hint: adviceFor(wait) }))
  if (request.show === 'json') {
    terminal.stderr.write(`${mask(JSON.stringify({ event: 'run.stuck', durationMs, waits: described }))}\n`)
    return exitCodes.failed
  }
  const paint = createPaint(terminal.stderr)
  const lines = described.flatMap((wait) => [waitLine(wait, paint), `  ${paint.cyan('hint:')} ${wait.hint}`])
  const head = `${paint.red('✗ cannot continue')} after ${formatDuration(durationMs)}: it waits for something that can no longer happen`
  terminal.stderr.write(`${request.show === 'nothing' ? '' : '\n'}${mask([head, ...lines].join('\n'))}\n`)
  return exitCodes.failed
}

interface DescribedWait {
  readonly position: string
  readonly name: string
  readonly topic: string
  readonly what: string
}

function describeWaits(waits: readonly NamedWait[]): readonly DescribedWait[] {
  return waits.map(({ wait, name }) => ({ position: wait.position, name, topic: wait.topic, what: describeWait(wait) }))
}

function waitLine({ name, position, what }: DescribedWait, paint: Paint): string {
  return `  ${paint.bold(printableLine(name))} ${paint.dim(printableLine(position))} waits for ${printableLine(what)}`
}

export function printFaulted(
  error: ErrorData,
  origin: FaultOrigin,
  durationMs: number,
  { bundle, request, terminal, mask }: PreparedRun,
): ExitCode {
  const { source: _source, ...place } = placeOf(error, bundle, origin.workflowIn(bundle))
  const text =
    request.show === 'json'
      ? JSON.stringify({ event: 'run.faulted', durationMs, error, place })
      : `${request.show === 'nothing' ? '' : '\n'}${formatFault(error, { ...place, source: _source }, durationMs, createPaint(terminal.stderr))}`
  terminal.stderr.write(`${mask(text)}\n`)
  return exitCodes.failed
}

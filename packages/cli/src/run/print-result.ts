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

/** What a person asks for with `millrace run`. */
export interface RunRequest {
  readonly file: string
  readonly inputs: readonly string[]
  readonly others: readonly string[]
  readonly secrets: SecretOptions
  /** JSON or files each. */
  readonly events: readonly string[]
  /** `-` for events one a line on standard input. */
  readonly eventLines: string | undefined
  readonly answers: readonly string[]
  readonly denyPrivateNetwork: boolean
  readonly show: Show
  readonly raw: boolean
}

/** A run and what it was asked to show. */
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

export function heading({ bundle: bundle, terminal }: PreparedRun): string {
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

/** The run was ended by Ctrl-C. @param waits what it waited for then. */
export function printCancelled(waits: readonly NamedWait[], durationMs: number, { request, terminal, mask }: PreparedRun): ExitCode {
  const told = describeWaits(waits)
  if (request.show === 'json') {
    terminal.stderr.write(`${mask(JSON.stringify({ event: 'run.cancelled', durationMs, waits: told }))}\n`)
    return exitCodes.interrupted
  }
  const paint = createPaint(terminal.stderr)
  const head = `\n${paint.yellow('■ cancelled')} after ${formatDuration(durationMs)}`
  terminal.stderr.write(`${mask([head, ...told.map((one) => waitLine(one, paint))].join('\n'))}\n`)
  return exitCodes.interrupted
}

/** The run waits for what cannot come any more. */
export function printStuck(waits: readonly NamedWait[], durationMs: number, { request, terminal, mask }: PreparedRun): ExitCode {
  const told = describeWaits(waits).map((one) => ({ ...one, hint: adviceFor(one) }))
  if (request.show === 'json') {
    terminal.stderr.write(`${mask(JSON.stringify({ event: 'run.stuck', durationMs, waits: told }))}\n`)
    return exitCodes.failed
  }
  const paint = createPaint(terminal.stderr)
  const lines = told.flatMap((one) => [waitLine(one, paint), `  ${paint.cyan('hint:')} ${one.hint}`])
  const head = `${paint.red('✗ cannot go on')} after ${formatDuration(durationMs)}: what it waits for cannot come any more`
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
  { bundle: bundle, request, terminal, mask }: PreparedRun,
): ExitCode {
  const { source: _source, ...place } = placeOf(error, bundle, origin.workflowIn(bundle))
  const text =
    request.show === 'json'
      ? JSON.stringify({ event: 'run.faulted', durationMs, error, place })
      : `${request.show === 'nothing' ? '' : '\n'}${formatFault(error, { ...place, source: _source }, durationMs, createPaint(terminal.stderr))}`
  terminal.stderr.write(`${mask(text)}\n`)
  return exitCodes.failed
}

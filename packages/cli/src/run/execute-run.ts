import type { LocalRun } from '@millrace/engine'
import type { ExitCode } from '#command/exit-code.ts'
import { messageOf } from '#command/failure.ts'
import { readVersion } from '#command/version.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { cancelOnInterrupt } from './cancel-on-interrupt.ts'
import { createFaultOrigin, type FaultOrigin } from './fault-origin.ts'
import { loadFunctions } from './load-functions.ts'
import type { Network } from './network.ts'
import { printCancelled, printCompleted, printFaulted, heading, type PreparedRun, printStuck } from './print-result.ts'
import { createApprovalPrompt } from './external-input/approval-prompt.ts'
import { createExternalInput, type NamedWait } from './external-input/external-input.ts'
import { createProgress } from './progress/create-progress.ts'
import { createTracker } from './progress/tracker.ts'
import { readVariables } from './read-variables.ts'
import { startRun } from './start-run.ts'

type Functions = Awaited<ReturnType<typeof loadFunctions>>
type End = Extract<Awaited<LocalRun['end']>, { readonly kind: 'ended' }>

/** Executes a prepared run in this process: tasks on standard error while they run, the output on standard output. */
export async function executeRun(prepared: PreparedRun, network: Network): Promise<ExitCode> {
  const { bundle, request, terminal } = prepared
  await network.prepare(bundle)
  const functions = await loadFunctions(bundle, {
    network,
    now: terminal.now,
    version: readVersion(),
    variables: readVariables(request.variables),
  })
  const startedAtMs = terminal.now()
  if (request.show === 'tasks' || request.show === 'values') terminal.stderr.write(`${heading(prepared)}\n`)
  const origin = createFaultOrigin()
  const end = await runToEnd(prepared, functions, origin)
  const durationMs = terminal.now() - startedAtMs
  if (end.kind === 'stuck') return printStuck(end.waits, durationMs, prepared)
  if (end.state === 'cancelled') return printCancelled(end.waits, durationMs, prepared)
  if (end.state === 'completed') return printCompleted(end.output ?? null, durationMs, prepared)
  if (end.error === undefined) throw new Error('a run faulted without an error')
  return printFaulted(end.error, origin, durationMs, prepared)
}

interface Stuck {
  readonly kind: 'stuck'
  readonly waits: readonly NamedWait[]
}

/** An end, and the open waits at the time of Ctrl-C. */
type Ended = End & { readonly waits: readonly NamedWait[] }

async function runToEnd(prepared: PreparedRun, { functions, close }: Functions, origin: FaultOrigin): Promise<Ended | Stuck> {
  const { bundle, input, secrets, request, events, answers, terminal, mask } = prepared
  const { now, stderr } = terminal
  const progress = createProgress(stderr, request.show, { mask, now })
  const observer = createTracker((event) => progress.task(event), now)
  const eventLines = request.eventLines !== undefined
  const external = createExternalInput({
    events,
    eventLines,
    answers,
    prompt: createApprovalPrompt(request, { terminal, progress, mask }),
    terminal,
    progress,
  })
  const cancellation = cancelOnInterrupt(terminal, external, progress)
  const local = startRun(bundle, input, terminal, {
    functions,
    secrets,
    version: readVersion(),
    journal: external.journal,
    onPublished: (event) => external.onPublished(event),
    warn: (message, cause) => void stderr.write(`warning: ${message}: ${mask(messageOf(cause))}\n`),
    observer: {
      ...observer,
      started(position, node, atMs, given, which) {
        external.taskStarted(position, node)
        observer.started(position, node, atMs, given, which)
      },
      faulted(position, node, atMs, error, which) {
        origin.faulted(node, error)
        observer.faulted(position, node, atMs, error, which)
      },
    },
  })
  cancellation.of(local)
  external.attach(local)
  const end = await Promise.race([local.end, whenIdle(terminal, () => external.waits())])
  await external.close()
  progress.close()
  // Workflows that are not awaited may continue after the output and run scripts, until the process is idle.
  const stop = terminal.onIdle(() => {
    stop()
    void close()
  })
  if (end.kind === 'stuck') return end
  if (end.kind === 'ended') return { ...end, waits: cancellation.waits() }
  throw new Error(`a local run left as ${end.kind}`, end.kind === 'lost' ? { cause: end.cause } : {})
}

/** A process without timers, connections and input waits for something that can no longer happen. */
function whenIdle(terminal: Terminal, waits: () => readonly NamedWait[]): Promise<Stuck> {
  const { promise, resolve } = Promise.withResolvers<Stuck>()
  const stop = terminal.onIdle(() => {
    stop()
    resolve({ kind: 'stuck', waits: waits() })
  })
  return promise
}

import type { LocalRun } from '@millrace/engine'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { messageOf } from '#command/failure.ts'
import { readVersion } from '#command/version.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { createFaultOrigin } from './fault-origin.ts'
import { loadFamily } from './load-family.ts'
import { createMask } from './mask.ts'
import { openNetwork } from './network.ts'
import { cancelled, completed, faulted, heading, type Performance, type RunRequest } from './outcome.ts'
import { createProgress } from './progress/create-progress.ts'
import { createTracker } from './progress/tracker.ts'
import { readInput } from './read-input.ts'
import { readSecrets, requireSecrets } from './read-secrets.ts'
import { startRun } from './start-run.ts'

/** Runs a definition in this process: tasks on standard error as they go, the output on standard output. */
export async function run(request: RunRequest, terminal: Terminal): Promise<ExitCode> {
  const family = await loadFamily(request.file, request.others, request.show === 'nothing', terminal)
  if (family === undefined) return exitCodes.failed
  const secrets = await readSecrets(request.secrets, terminal.stdin)
  requireSecrets(family, secrets)
  const input = await readInput(request.inputs, terminal.stdin)
  return perform({ family, input, secrets, request, terminal, mask: createMask(secrets) })
}

async function perform(performance: Performance): Promise<ExitCode> {
  const { family, input, secrets, request, terminal, mask } = performance
  const { now, stderr } = terminal
  const progress = createProgress(stderr, request.show, { mask, now })
  const origin = createFaultOrigin()
  const observer = createTracker((event) => progress.task(event), now)
  const network = await openNetwork(family, request.denyPrivateNetwork)
  const startedAtMs = now()
  if (request.show === 'tasks' || request.show === 'values') stderr.write(`${heading(performance)}\n`)
  const cancellation = cancelOnInterrupt(terminal)
  const local = startRun(family, input, terminal, {
    network,
    secrets,
    version: readVersion(),
    warn: (message, cause) => void stderr.write(`warning: ${message}: ${mask(messageOf(cause))}\n`),
    observer: {
      ...observer,
      faulted(position, node, atMs, error, which) {
        origin.faulted(node, error)
        observer.faulted(position, node, atMs, error, which)
      },
    },
  })
  cancellation.of(local)
  const end = await local.end
  progress.close()
  if (end.kind !== 'ended') throw new Error(`a local run left as ${end.kind}`, end.kind === 'lost' ? { cause: end.cause } : {})
  const durationMs = now() - startedAtMs
  if (end.state === 'cancelled') return cancelled(durationMs, performance)
  if (end.state === 'completed') return completed(end.output ?? null, durationMs, performance)
  if (end.error === undefined) throw new Error('a run faulted without an error')
  return faulted(end.error, origin, durationMs, performance)
}

/** The first Ctrl-C cancels the run; the next one ends the process. Listens before there is a run, so that none is missed. */
function cancelOnInterrupt(terminal: Terminal): { of(local: LocalRun): void } {
  let asked = false
  let current: LocalRun | undefined
  terminal.onInterrupt(() => {
    if (asked) terminal.exit(exitCodes.interrupted)
    asked = true
    current?.cancel()
  })
  return {
    of(local) {
      current = local
      if (asked) local.cancel()
    },
  }
}

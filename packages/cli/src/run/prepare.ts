import { createTextMask, textsIn } from '@millrace/engine/definition'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { usageFailure } from '#command/failure.ts'
import { standardInput } from '#definitions/read-text.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { checkFiles, loadBundle } from './load-bundle.ts'
import { createLazyFetcher } from './load-functions.ts'
import { createNetwork } from './network.ts'
import type { RunRequest } from './print-result.ts'
import { readAnswers } from './external-input/given-answers.ts'
import { readEvents } from './external-input/given-events.ts'
import { readInput } from './read-input.ts'
import { readSecrets, requireSecrets, warningOfUnmasked } from './read-secrets.ts'
import { executeRun } from './execute-run.ts'

/** Reads everything that a run needs, and executes it. */
export async function prepareAndRun(request: RunRequest, terminal: Terminal): Promise<ExitCode> {
  const files = [request.file, ...request.others]
  checkStandardInput(request, files)
  const checked = await checkFiles(files, request.show === 'nothing', terminal)
  if (checked === undefined) return exitCodes.failed
  const secrets = await readSecrets(request.secrets, terminal.stdin)
  const warning = warningOfUnmasked(secrets)
  if (warning !== undefined) terminal.stderr.write(`warning: ${warning}\n`)
  const mask = createTextMask(textsIn(secrets)).text
  const network = createNetwork(request.denyPrivateNetwork)
  const bundle = await loadBundle(checked, { fetchResource: createLazyFetcher({ network, now: terminal.now }), secrets })
  requireSecrets(bundle, secrets)
  const input = await readInput(request.inputs, terminal.stdin)
  const events = await readEvents(request.events, terminal)
  const answers = readAnswers(request.answers, bundle)
  return executeRun({ bundle, input, secrets, events, answers, request, terminal, mask }, network)
}

/** Standard input can be read only once. */
function checkStandardInput({ inputs, secrets, eventLines, answers }: RunRequest, files: readonly string[]): void {
  if (eventLines !== undefined && eventLines !== standardInput) {
    throw usageFailure(`--events ${eventLines}: the only value is "-", for standard input.`, 'Use --event FILE for the events of a file.')
  }
  const readers = [
    ...files.filter((file) => file === standardInput).map(() => 'a definition'),
    ...inputs.filter((input) => input === standardInput).map(() => '--input'),
    ...(secrets.secretsFile === standardInput ? ['--secrets-file'] : []),
    ...(eventLines === undefined ? [] : ['--events']),
    ...(answers.includes(standardInput) ? ['--answer'] : []),
  ]
  if (readers.length > 1) throw usageFailure(`Standard input can be read only once, but "-" was given for ${readers.join(' and for ')}.`)
}

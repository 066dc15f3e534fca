import { createLogger, type InstallationVerifier, openInstallationVerifier, type Verdict } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, usageFailure } from '#command/failure.ts'
import { readConfiguration } from '#command/read-configuration.ts'
import { withPresentDatabase } from '#command/with-database.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface VerifyRequest {
  readonly ids: readonly string[]
  readonly all: boolean
  readonly home: string | undefined
  readonly json: boolean
}

/** Replays executions from their journals, and prints the differences. */
export async function verify(request: VerifyRequest, terminal: Terminal): Promise<ExitCode> {
  if (request.all === request.ids.length > 0) throw usageFailure('Name the executions to verify, or give --all.')
  const config = readConfiguration({ home: request.home })
  return withPresentDatabase(config, async ({ url }) => {
    const verifier = await openInstallationVerifier(config, url, createLogger('error'))
    try {
      return await verifyAll(verifier, request, terminal)
    } catch (error) {
      throw error instanceof Failure
        ? error
        : new Failure(messageOf(error), { hint: '"millrace doctor" checks the whole installation.', cause: error })
    } finally {
      await verifier.close()
    }
  })
}

async function verifyAll(verifier: InstallationVerifier, request: VerifyRequest, { stdout, stderr }: Terminal): Promise<ExitCode> {
  const paint = createPaint(stdout)
  let verified = 0
  let wrong = 0
  let missing = 0
  for await (const { id, verdict } of request.all ? verifier.all() : named(verifier, request.ids)) {
    if (verdict === undefined) missing += 1
    else verified += 1
    if (verdict?.difference !== undefined) wrong += 1
    if (request.json)
      stdout.write(
        `${JSON.stringify(verdict === undefined ? { id, missing: true } : { id, entries: verdict.entries, difference: verdict.difference ?? null })}\n`,
      )
    else if (verdict === undefined) stdout.write(`${paint.red('✗')} ${id} does not exist\n`)
    else if (verdict.difference !== undefined) stdout.write(`${paint.red('✗')} ${id} ${inWords(verdict.difference)}\n`)
    else if (!request.all) stdout.write(`${paint.green('✓')} ${id} ${paint.dim(`${verdict.entries} entries`)}\n`)
  }
  const differ = wrong === 0 ? 'none differs' : wrong === 1 ? '1 differs' : `${wrong} differ`
  if (!request.json) stderr.write(`${verified} verified, ${differ}${missing === 0 ? '' : `; ${missing} not found`}.\n`)
  return wrong + missing === 0 ? exitCodes.ok : exitCodes.failed
}

async function* named(verifier: InstallationVerifier, ids: readonly string[]) {
  for (const id of ids) yield { id, verdict: await verifier.verify(id) }
}

function inWords({ part, detail, recorded, walked }: NonNullable<Verdict['difference']>): string {
  const values = recorded === undefined && walked === undefined ? '' : ` (recorded ${shown(recorded)}, walked ${shown(walked)})`
  return `${part}: ${detail}${values}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

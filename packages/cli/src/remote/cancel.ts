import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { connect } from './connect.ts'
import { explaining } from './explain.ts'

export interface CancelRequest {
  readonly ids: readonly string[]
  readonly url: string | undefined
  readonly json: boolean
}

const waitSeconds = 10

/** Cancels executions one after the other and prints their states. */
export async function cancel(request: CancelRequest, { stdout }: Terminal): Promise<ExitCode> {
  const { url, client } = await connect(request.url)
  for (const executionId of request.ids) {
    const { id, state } = await explaining(url, () => client.executions.cancel({ params: { executionId } }, { waitSeconds }))
    stdout.write(request.json ? `${JSON.stringify({ id, state })}\n` : `${id} ${state}\n`)
  }
  return exitCodes.ok
}

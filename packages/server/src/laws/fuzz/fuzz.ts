import { Agent } from 'node:http'
import type { LawServer } from '#laws/operation-laws.ts'
import { curlLine } from './curl.ts'
import { readDescription } from './description.ts'
import { createGround, type Ground, isSuccess } from './ground.ts'
import { faultsOf } from './judge.ts'
import { createRandom } from './random.ts'
import { type FuzzRequest, requestOf } from './requests.ts'
import { send, unansweredMs } from './send.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
}

export interface FuzzReport {
  /** Each with what is wrong, and the line for a shell that shows it. */
  readonly failures: readonly string[]
  /** How often each operation succeeded, by its id. */
  readonly successes: ReadonlyMap<string, number>
  readonly statuses: ReadonlyMap<number, number>
}

const atATime = 8
/** Requests change and delete what they work on, so there is something new after so many. */
const requestsPerGround = 500
/** More tell nothing new. */
const failuresMax = 20

/** Sends requests made of the server's own description, good and bad ones, and holds every answer against it. */
export async function fuzz(server: LawServer, { seed, requests }: FuzzOptions): Promise<FuzzReport> {
  const description = await readDescription(server.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * atATime })
  const failures: string[] = []
  const successes = new Map<string, number>(description.operations.map(({ id }) => [id, 0]))
  const statuses = new Map<number, number>()

  async function tryOne(ground: Ground, index: number): Promise<void> {
    const request = requestOf(description, ground, createRandom(seed, index))
    const token = await ground.credentialOf(request.caller)
    const faults = await faultsIn(request, token)
    if (faults.length > 0)
      failures.push(`FC_SEED=${seed}, request ${index}, ${request.op.id}: ${faults.join('; ')}\n  ${curlLine(server.url, request, token)}`)
  }

  async function faultsIn(request: FuzzRequest, token: string | undefined): Promise<readonly string[]> {
    try {
      const answer = await send(server.url, agent, request, token)
      if (answer === undefined) return [`no answer within ${unansweredMs} ms`]
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const { id } = request.op
      if (isSuccess(answer.body, answer.status)) successes.set(id, (successes.get(id) ?? 0) + 1)
      return faultsOf(request.op, answer)
    } catch (error) {
      // A server may hang up on whom it has refused while the body is still on its way; that it answered before is for the tests of the transport.
      const isHangUp = request.body !== undefined && request.body.length > 1_000_000
      return isHangUp ? [] : [`no answer: ${String(error)}`]
    }
  }

  for (let first = 0; first < requests && failures.length < failuresMax; first += requestsPerGround) {
    const ground = await createGround(server)
    const indices = Array.from({ length: Math.min(requestsPerGround, requests - first) }, (_, at) => first + at).values()
    const work = async () => {
      for (const index of indices) if (failures.length < failuresMax) await tryOne(ground, index)
    }
    await Promise.all(Array.from({ length: atATime }, work))
  }
  agent.destroy()
  return { failures, successes, statuses }
}
